import type { SectorState } from '@azimuth/model';

/** How a sector is, in words. */
export const sectorWords: Readonly<Record<SectorState, string>> = {
  unwatched: 'not watched',
  blocked: 'blocked',
  clean: 'clean',
  warning: 'dirty',
  error: 'very dirty',
};

/** The numbers of the sectors that are in one of these states, from 1 on. */
export function sectorsThatAre(
  sectors: readonly SectorState[],
  ...states: readonly SectorState[]
): readonly number[] {
  return sectors.flatMap((state, index) => (states.includes(state) ? [index + 1] : []));
}

/** `Sector 4`, `Sectors 4, 5 and 9`; empty for none. */
export function sectorsText(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  if (last === undefined) return '';
  if (numbers.length === 1) return `Sector ${last}`;
  return `Sectors ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

/** The whole front screen in a line. */
export function screenText(sectors: readonly SectorState[]): string {
  if (sectors.every((state) => state === 'unwatched')) return 'Nothing watches the front screen for dirt.';
  const parts = (['blocked', 'error', 'warning'] as const).flatMap((state) => {
    const numbers = sectorsThatAre(sectors, state);
    return numbers.length === 0 ? [] : [`${sectorsText(numbers)}: ${sectorWords[state]}.`];
  });
  return parts.length > 0 ? parts.join(' ') : 'The front screen is clean.';
}
