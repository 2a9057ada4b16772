import { ContaminationStrategy, SectorContamination, type ValueOf } from '@azimuth/model';

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
