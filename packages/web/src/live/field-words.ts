import { FieldState } from '@azimuth/model';
import type { Severity } from '../parts/severity.js';

export type FieldStateNumber = (typeof FieldState)[keyof typeof FieldState];

/** A state in a word, with its severity. */
export interface StateWord {
  readonly severity: Severity;
  readonly word: string;
}

const stateWords: Readonly<Record<FieldStateNumber, StateWord>> = {
  [FieldState.NOT_CONFIGURED]: { severity: 'idle', word: 'Not on the scanner' },
  [FieldState.INACTIVE]: { severity: 'idle', word: 'Not active' },
  [FieldState.FREE]: { severity: 'good', word: 'Free' },
  [FieldState.DETECTING_INFRINGED]: { severity: 'warn', word: 'Free, detecting' },
  [FieldState.INFRINGED]: { severity: 'bad', word: 'Infringed' },
  [FieldState.DETECTING_FREE]: { severity: 'bad', word: 'Infringed, clearing' },
};

export function stateWord(state: FieldStateNumber): StateWord {
  return stateWords[state];
}

/** Does a field in this state count as infringed? */
export function isInfringed(state: FieldStateNumber): boolean {
  return state === FieldState.INFRINGED || state === FieldState.DETECTING_FREE;
}
