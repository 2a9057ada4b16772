import type { Json, Matcher } from '../../match/matcher.js';
import { control, pause, type RequestStep, type Step, write } from '../../steps/index.js';
import { reads } from '../value-steps.js';

/** Contamination of a sector: 0 blocked or not watched. */
export const Sector = { none: 0, clean: 1, warning: 2, error: 3 } as const;

/** Shares of light that dirt blocks: with each of the thresholds, they are clean, dirty and blocked. */
export const dirty = 0.8;
export const blocked = 1;

/** Removes all dirt. */
export const clean = control('contamination', { level: 0 });

/** Blocks a share of the light of a sector, or of all. */
export function dirt(level: number, sector?: number): Step {
  return control('contamination', sector === undefined ? { level } : { level, sector });
}

/** What all cases of dirt have. */
export const seen = {
  level: 'must',
  stage: 'core',
  place: 'guide: Contamination indication',
  names: ['ContaminationConfig', 'ContaminationData', 'ContaminationResult'],
  cleanup: [clean],
} as const;

/** All seven sectors. */
export const allSectors: Json = [true, true, true, true, true, true, true];

/** The most sensitive detection that needs one sector, with the shortest response time. */
export function detects(settings: Readonly<Record<string, Json>> = {}): Step {
  return write('ContaminationConfig', {
    ...{ eStrategy: 2, usiResponseTime: 3, eThreshold: 0, eCover: 0, CustomSectors: allSectors },
    ...{ bEnableWarning: true, bEnableError: true, ...settings },
  });
}

/** s until dirt counts, with a margin. */
export const responded = pause(4);

/** Expects ContaminationData. */
export function data(matcher: Matcher): RequestStep {
  return reads('ContaminationData', matcher);
}

/** Expects ContaminationResult. */
export function result(bWarningActive: boolean, bErrorActive: boolean): RequestStep {
  return reads('ContaminationResult', { is: { bWarningActive, bErrorActive } });
}

/** Seven sectors with this state. */
export const each = (state: number): Matcher => ({ is: [1, 2, 3, 4, 5, 6, 7].map(() => state) });
