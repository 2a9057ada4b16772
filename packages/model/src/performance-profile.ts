import type { PerformanceProfile } from './groups/basic-settings.js';

/** What a performance profile stands for. */
export interface ProfileFacts {
  /** Scans a second, in 1/100 Hz. */
  readonly frequency: number;
  /** Angle from one beam to the next, in 1/10000°. */
  readonly resolution: number;
}

type ProfileNumber = (typeof PerformanceProfile)[keyof typeof PerformanceProfile];

/** The performance profiles by their number. */
export const performanceProfiles: Readonly<Record<ProfileNumber, ProfileFacts>> = {
  1: { frequency: 1500, resolution: 5000 },
  2: { frequency: 1500, resolution: 3333 },
  3: { frequency: 2000, resolution: 1000 },
  4: { frequency: 2000, resolution: 2500 },
  5: { frequency: 2500, resolution: 2500 },
  6: { frequency: 3000, resolution: 1000 },
  7: { frequency: 4000, resolution: 2500 },
  8: { frequency: 5000, resolution: 2500 },
  9: { frequency: 1500, resolution: 500 },
  10: { frequency: 4000, resolution: 1250 },
  11: { frequency: 1500, resolution: 10_000 },
};
