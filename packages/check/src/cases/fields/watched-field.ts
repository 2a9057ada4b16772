import type { Json } from '../../match/matcher.js';
import { pause, type Step } from '../../steps/index.js';
import { endFaults, formerScene, inRoom, move, type Thing } from '../outside/control-steps.js';
import { define, field } from './field-steps.js';

/** What all cases of a field in a known scene have. */
export const seen = {
  level: 'must',
  stage: 'core',
  place: 'guide: Field evaluation',
  names: ['FieldEvaluationResult'],
  cleanup: [endFaults, formerScene],
} as const;

/** A thing of 0.5 m at 3 m ahead: in the middle of the square. */
export const inside: Thing = { name: 'thing', x: 3, y: 0, size: [0.5, 0.5] };
/** Beside the square, and not in front of it. */
export const outside: Thing = { ...inside, y: 5 };

/** Puts the thing into the square. */
export const enter = move('thing', 3, 0);
/** Takes the thing out of the square. */
export const leave = move('thing', 3, 5);

/** A field with these members, in which a thing is, or beside which it is. */
export function watched(thing: Thing, members: Readonly<Record<string, Json>> = {}): readonly Step[] {
  return [...inRoom(thing), define([field(1, members)])];
}

/** s in which a field that may become infringed would be. */
export const settled = pause(0.5);
