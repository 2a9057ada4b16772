import { SectorContamination } from '@azimuth/model';

/** How dirty a sector is, in words. */
export const sectorWords: Readonly<Record<number, string>> = {
  [SectorContamination.CM_DATA_NONE]: 'not watched',
  [SectorContamination.CM_DATA_CLEAN]: 'clean',
  [SectorContamination.CM_DATA_WARN]: 'dirty',
  [SectorContamination.CM_DATA_ERROR]: 'very dirty',
};

/** The numbers of the sectors with a warning and with an error, from 1 on. */
export function dirtySectors(sectors: readonly number[]): {
  readonly warning: readonly number[];
  readonly error: readonly number[];
} {
  const those = (state: number) => sectors.flatMap((of, index) => (of === state ? [index + 1] : []));
  return {
    warning: those(SectorContamination.CM_DATA_WARN),
    error: those(SectorContamination.CM_DATA_ERROR),
  };
}

/** `Sector 4`, `Sectors 4, 5 and 9`; empty for none. */
export function sectorsText(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  if (last === undefined) return '';
  if (numbers.length === 1) return `Sector ${last}`;
  return `Sectors ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

/** The whole front screen in a line. */
export function screenText(sectors: readonly number[]): string {
  if (sectors.every((state) => state === SectorContamination.CM_DATA_NONE)) {
    return 'Nothing watches the front screen for dirt.';
  }
  const { warning, error } = dirtySectors(sectors);
  const parts = [
    ...(error.length > 0 ? [`${sectorsText(error)}: very dirty.`] : []),
    ...(warning.length > 0 ? [`${sectorsText(warning)}: dirty.`] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : 'The front screen is clean.';
}
