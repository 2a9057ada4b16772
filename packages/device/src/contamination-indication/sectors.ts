import {
  ContaminationCover,
  ContaminationStrategy,
  ContaminationThreshold,
  fieldOfView,
  SectorContamination,
  sectorCount,
  type ValueOf,
} from '@azimuth/model';
import { Debounced } from '../inputs-and-outputs/debounced.js';
import type { ScanGeometry } from '../scan/scan.js';

/** Degrees. */
const sectorWidth = (fieldOfView.maximum - fieldOfView.minimum) / 10_000 / sectorCount;
/** Sectors at either end that a cover hides: CM_COVER leaves six sectors. */
const hiddenByCover = 3;

/**
 * The first beam of a sector, or the beam after the last if there is none. A beam between two sectors belongs to the one
 * on its left; beams outside the field of view belong to the outermost sectors.
 * @param sector 0 to 12; 12 means the end
 */
export function firstBeamOfSector(sector: number, { firstAngle, step, beams }: ScanGeometry): number {
  if (sector === 0) return 0;
  if (sector === sectorCount) return beams;
  const angle = fieldOfView.minimum / 10_000 + sector * sectorWidth;
  // The tolerance makes a beam at the edge count despite rounding.
  const first = Math.ceil((angle - firstAngle) / step - 1e-6);
  return Math.min(Math.max(first, 0), beams);
}

/** Which sectors eCover leaves to be watched. Items missing in CustomSectors are true, their default. */
export function watchedSectors({
  eCover,
  CustomSectors,
}: Pick<ValueOf<'ContaminationConfig'>, 'eCover' | 'CustomSectors'>): readonly boolean[] {
  return Array.from({ length: sectorCount }, (_, sector) => {
    switch (eCover) {
      case ContaminationCover.CM_COVER_NONE:
        return true;
      case ContaminationCover.CM_COVER:
        return sector >= hiddenByCover && sector < sectorCount - hiddenByCover;
      default:
        return CustomSectors[sector] ?? true;
    }
  });
}

/** ms for which a new state has to last before it counts. */
export interface ResponseTimes {
  readonly worse: number;
  readonly better: number;
}

/** The debounced state of a sector: the dirtiest state that has been reached or exceeded for long enough. */
export class Sector {
  /** For each grade except clean: whether the sector is at least that dirty. */
  readonly #grades = [
    { dirt: Dirt.warning, reached: new Debounced() },
    { dirt: Dirt.error, reached: new Debounced() },
    { dirt: Dirt.blocked, reached: new Debounced() },
  ] as const;

  get dirt(): Dirt {
    return this.#grades.findLast(({ reached }) => reached.value)?.dirt ?? Dirt.clean;
  }

  /**
   * Takes the present dirt. Times are ms of the monotonic clock.
   * @returns ms until the state may change; Infinity if no change is pending
   */
  follow(raw: Dirt, now: number, { worse, better }: ResponseTimes): number {
    const delays = this.#grades.map(({ dirt, reached }) =>
      reached.follow(raw >= dirt, now, raw >= dirt ? worse : better),
    );
    return Math.min(...delays);
  }
}

/** The share of light, 0 to 1, above which even the strongest echo (RSSI 65535 * 0.05² = 164) is not detected. */
const blockedFrom = 0.95;

/** The grades of dirt, the cleanest first. */
export const Dirt = { clean: 0, warning: 1, error: 2, blocked: 3 } as const;
export type Dirt = (typeof Dirt)[keyof typeof Dirt];

type Threshold = (typeof ContaminationThreshold)[keyof typeof ContaminationThreshold];

/** The shares of light absorbed by a sector that cause a warning and an error. */
const limits: Readonly<Record<Threshold, { readonly warning: number; readonly error: number }>> = {
  [ContaminationThreshold.CM_LOW]: { warning: 0.15, error: 0.3 },
  [ContaminationThreshold.CM_MID]: { warning: 0.3, error: 0.5 },
  [ContaminationThreshold.CM_HIGH]: { warning: 0.5, error: 0.7 },
};

/** The grade of dirt for a share of light that a sector absorbs, by eThreshold. */
export function dirtOf(level: number, threshold: Threshold): Dirt {
  const { warning, error } = limits[threshold];
  if (level >= blockedFrom) return Dirt.blocked;
  if (level >= error) return Dirt.error;
  return level >= warning ? Dirt.warning : Dirt.clean;
}

type Data = ValueOf<'ContaminationData'>;

/** Whether there is a contamination warning or error. */
export interface ContaminationState {
  readonly warning: boolean;
  readonly error: boolean;
}

/**
 * The state of all sectors together. An error is a warning, too. With SENSITIVE one sector is enough. HIGH_AVAILABLE needs
 * two sectors with a warning or two with an error (one, if only one is watched): a single warning does not count, and a
 * single error counts as a warning.
 * @param watched number of watched sectors
 */
export function contaminationOf(data: Data, strategy: number, watched: number): ContaminationState {
  const errors = data.filter((sector) => sector === SectorContamination.CM_DATA_ERROR).length;
  const warnings = errors + data.filter((sector) => sector === SectorContamination.CM_DATA_WARN).length;
  switch (strategy) {
    case ContaminationStrategy.CM_STRATEGY_SENSITIVE:
      return { warning: warnings > 0, error: errors > 0 };
    case ContaminationStrategy.CM_STRATEGY_HIGH_AVAILABLE: {
      const needed = Math.max(1, Math.min(2, watched));
      return { warning: warnings >= needed || errors > 0, error: errors >= needed };
    }
    default:
      return { warning: false, error: false };
  }
}
