import {
  ContaminationCover,
  ContaminationStrategy,
  SectorContamination,
  sectorCount,
} from './groups/index.js';
import type { ValueOf } from './interface.js';
import { fieldOfView } from './performance-profile.js';

/** Number of sectors at either end that a weather hood covers: five sectors stay, which are 197°. */
const sectorsBehindHood = 1;

/**
 * Returns the angle at which a sector of the front screen begins.
 * @param sector from 0; `sectorCount` means the end of the screen
 * @returns degrees, counter-clockwise from straight ahead: -138 for the first sector
 */
export function sectorEdge(sector: number): number {
  const { minimum, maximum } = fieldOfView;
  return (minimum + ((maximum - minimum) * sector) / sectorCount) / 10_000;
}

/** Settings that choose sectors. */
type Choice = Pick<ValueOf<'ContaminationConfig'>, 'eStrategy' | 'eCover' | 'CustomSectors'>;

/**
 * Returns true for each sector of the front screen that is watched for contamination; none while the strategy is
 * INACTIVE. Items that CustomSectors lacks are true. Items beyond the last sector mean nothing.
 */
export function watchedSectors({ eStrategy, eCover, CustomSectors }: Choice): readonly boolean[] {
  return Array.from({ length: sectorCount }, (_, sector) => {
    if (eStrategy === ContaminationStrategy.CM_STRATEGY_INACTIVE) return false;
    switch (eCover) {
      case ContaminationCover.CM_COVER_NONE:
        return true;
      case ContaminationCover.CM_COVER:
        return sector >= sectorsBehindHood && sector < sectorCount - sectorsBehindHood;
      default:
        return CustomSectors[sector] ?? true;
    }
  });
}

/** State of a sector of the front screen. */
export type SectorState = 'unwatched' | 'blocked' | 'clean' | 'warning' | 'error';

const states: Readonly<Record<number, SectorState>> = {
  [SectorContamination.CM_DATA_NONE]: 'blocked',
  [SectorContamination.CM_DATA_CLEAN]: 'clean',
  [SectorContamination.CM_DATA_WARN]: 'warning',
  [SectorContamination.CM_DATA_ERROR]: 'error',
};

/**
 * Returns the state of each sector. ContaminationData has 0 both for a blocked sector and for a sector that is not
 * watched; the configuration tells them apart.
 * @param choice undefined if it is not known: sectors with 0 then count as not watched
 */
export function sectorStates(
  data: ValueOf<'ContaminationData'>,
  choice: Choice | undefined,
): readonly SectorState[] {
  const watched = choice === undefined ? [] : watchedSectors(choice);
  return data.map((value, index) =>
    value === SectorContamination.CM_DATA_NONE && watched[index] !== true
      ? 'unwatched'
      : (states[value] ?? 'unwatched'),
  );
}
