import type { SectorState } from '@azimuth/model';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';
import type { ConditionKind, Detected } from './condition-kind.js';
import { isIn, whileKnown } from './detected.js';
import type { Limits } from './limits.js';

/** Dirt of the front screen, sector by sector. */
export const contaminationConditions: readonly ConditionKind[] = [
  {
    id: 'contamination',
    severity: 'warning',
    title: 'Has a dirty front screen',
    about: 'A sector of the front screen is dirty. Clean it soon with a soft, damp cloth.',
    beginsAfter: 10,
    endsAfter: 10,
    detect: whileKnown((snapshot, limits) =>
      sectors(snapshot, ({ state, part, number }) => {
        if (limitOf(limits, number) !== 'warning') return undefined;
        // A sector that becomes too dirty was dirty before: its first condition goes on.
        const holds = state === 'warning' || (state === 'error' && isIn(snapshot, 'contamination', part));
        return holds ? 'the sector is dirty' : undefined;
      }),
    ),
  },
  {
    id: 'contamination-error',
    severity: 'error',
    title: 'Has a front screen that is too dirty to measure',
    about: 'Distances may be missing in a sector. Clean the front screen now with a soft, damp cloth.',
    beginsAfter: 10,
    endsAfter: 10,
    detect: whileKnown((snapshot, limits) =>
      sectors(snapshot, ({ state, number }) =>
        state === 'error' && limitOf(limits, number) !== 'never'
          ? 'the sector is too dirty to measure'
          : undefined,
      ),
    ),
  },
];

interface Sector {
  readonly state: SectorState;
  /** From 1. */
  readonly number: number;
  readonly part: string;
}

/** @param textOf the text of a sector that is in the condition */
function sectors(snapshot: ScannerSnapshot, textOf: (sector: Sector) => string | undefined): Detected[] {
  return snapshot.sectors.flatMap((state, index) => {
    const part = `sector ${index + 1}`;
    const text = textOf({ state, part, number: index + 1 });
    return text === undefined ? [] : [{ part, text }];
  });
}

function limitOf(limits: Limits, sector: number): Limits['dirt'] {
  return limits.sectors[sector] ?? limits.dirt;
}
