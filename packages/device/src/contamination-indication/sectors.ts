import { ContaminationStrategy, ContaminationThreshold, sectorCount, sectorEdge } from '@azimuth/model';
import { Debounced } from '../inputs-and-outputs/port.js';
import type { Clock } from '../interfaces/environment.js';
import type { ScanGeometry } from '../scan/scan.js';

/**
 * The first beam of a sector, or the beam after the last one if no beam is in it. A beam between two sectors belongs to
 * the one on its left; beams outside the field of view belong to the outermost sectors.
 * @param sector from 0; `sectorCount` means the end
 */
export function firstBeamOfSector(sector: number, { firstAngle, step, beams }: ScanGeometry): number {
  if (sector === 0) return 0;
  if (sector === sectorCount) return beams;
  // The tolerance makes a beam at the edge count despite rounding.
  const first = Math.ceil((sectorEdge(sector) - firstAngle) / step - 1e-6);
  return Math.min(Math.max(first, 0), beams);
}

/** ms for which a new state has to last before it counts. */
export interface ResponseTimes {
  readonly worse: number;
  readonly better: number;
}

/** The debounced state of a sector: the dirtiest state that has been reached or exceeded for long enough. */
export class Sector {
  /** One entry for each grade except clean: true if the sector is at least that dirty. */
  readonly #grades = [
    { dirt: Dirt.warning, reached: new Debounced() },
    { dirt: Dirt.error, reached: new Debounced() },
    { dirt: Dirt.blocked, reached: new Debounced() },
  ] as const;

  /** @param clock of the times that `follow` gets */
  remember(clock: Pick<Clock, 'monotonic'>): () => void {
    const grades = this.#grades.map(({ reached }) => reached.remember(clock));
    return () => {
      for (const putBack of grades) putBack();
    };
  }

  get dirt(): Dirt {
    return this.#grades.findLast(({ reached }) => reached.value)?.dirt ?? Dirt.clean;
  }

  /**
   * Updates the state with the present dirt. Times are ms of the monotonic clock.
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

/** True if there is a contamination warning or error. */
export interface ContaminationState {
  readonly warning: boolean;
  readonly error: boolean;
}

/**
 * The state of all watched sectors together. With HIGH_AVAILABLE all of them have to be contaminated, with SENSITIVE
 * one is enough; an error is a warning, too. Blocked sectors count as errors, or do not take part. If no sector is
 * left, there is a warning: the scanner sees nothing.
 * @param watched the grades of the watched sectors
 */
export function contaminationOf(
  watched: readonly Dirt[],
  strategy: number,
  blockedAreErrors: boolean,
): ContaminationState {
  const judged = blockedAreErrors ? watched : watched.filter((dirt) => dirt !== Dirt.blocked);
  if (judged.length === 0) return { warning: watched.length > 0, error: false };
  const reach = (least: Dirt) =>
    strategy === ContaminationStrategy.CM_STRATEGY_SENSITIVE
      ? judged.some((dirt) => dirt >= least)
      : judged.every((dirt) => dirt >= least);
  return { warning: reach(Dirt.warning), error: reach(Dirt.error) };
}
