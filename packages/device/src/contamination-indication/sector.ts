import {
  ContaminationStrategy,
  ContaminationThreshold,
  SectorContamination,
  type ValueOf,
} from '@azimuth/model';
import { Debounced } from '../inputs-and-outputs/debounced.js';

/** How long another state has to last before it is told, in ms. */
export interface Patience {
  readonly worse: number;
  readonly better: number;
}

/** A sector as it is told: as dirty as it has been for long enough, or more. */
export class Sector {
  /** For each grade of dirt but clean: is it at least that dirty? */
  readonly #grades = [
    { dirt: Dirt.warning, reached: new Debounced() },
    { dirt: Dirt.error, reached: new Debounced() },
    { dirt: Dirt.blocked, reached: new Debounced() },
  ] as const;

  get told(): Dirt {
    return this.#grades.findLast(({ reached }) => reached.counted)?.dirt ?? Dirt.clean;
  }

  /**
   * Takes how dirty it is now (ms of the monotonic clock).
   * @returns ms until what is told may change; Infinity where there is nothing to wait for
   */
  follow(now: Dirt, time: number, { worse, better }: Patience): number {
    const waits = this.#grades.map(({ dirt, reached }) =>
      reached.follow(now >= dirt, time, now >= dirt ? worse : better),
    );
    return Math.min(...waits);
  }
}

/** The share of light, 0 to 1, from which on not even the strongest echo (RSSI 65535 * 0.05² = 164) is detected. */
const blockedFrom = 0.95;

/** How dirty a sector is, the cleanest first. */
export const Dirt = { clean: 0, warning: 1, error: 2, blocked: 3 } as const;
export type Dirt = (typeof Dirt)[keyof typeof Dirt];

type Threshold = (typeof ContaminationThreshold)[keyof typeof ContaminationThreshold];

/** The shares of light that a sector has to take away for a warning and for an error. */
const limits: Readonly<Record<Threshold, { readonly warning: number; readonly error: number }>> = {
  [ContaminationThreshold.CM_LOW]: { warning: 0.15, error: 0.3 },
  [ContaminationThreshold.CM_MID]: { warning: 0.3, error: 0.5 },
  [ContaminationThreshold.CM_HIGH]: { warning: 0.5, error: 0.7 },
};

/** What eThreshold makes of the share of light that a sector takes away. */
export function dirtOf(level: number, threshold: Threshold): Dirt {
  const { warning, error } = limits[threshold];
  if (level >= blockedFrom) return Dirt.blocked;
  if (level >= error) return Dirt.error;
  return level >= warning ? Dirt.warning : Dirt.clean;
}

type Data = ValueOf<'ContaminationData'>;

/** Is there a contamination warning or error? */
export interface Verdict {
  readonly warning: boolean;
  readonly error: boolean;
}

/**
 * What the sectors together say. An error is a warning, too. SENSITIVE takes every sector for what it is.
 * HIGH_AVAILABLE wants two of a kind (or all, where one is watched): a single warning counts for nothing then, a single
 * error for a warning.
 * @param watched number of sectors that are watched
 */
export function verdictOf(data: Data, strategy: number, watched: number): Verdict {
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
