import type { ValueTable } from './declaration.js';

/** Angles of the field of view, in 1/10000°: 276° about the axis ahead, counter-clockwise positive. */
export const fieldOfView = { minimum: -1_380_000, maximum: 1_380_000 } as const;

/** Performance profiles. Each number stands for a scan frequency and an angular resolution. */
export const PerformanceProfile = {
  MODE_1: 1,
  MODE_2: 2,
  MODE_3: 3,
  MODE_4: 4,
  MODE_5: 5,
  MODE_6: 6,
  MODE_7: 7,
  MODE_8: 8,
  MODE_9: 9,
  MODE_10: 10,
  MODE_11: 11,
} as const;

type ProfileNumber = (typeof PerformanceProfile)[keyof typeof PerformanceProfile];

/** Settings of a performance profile. */
export interface ProfileFacts {
  /** Number of scans a second, in 1/100 Hz. */
  readonly frequency: number;
  /** Angle from one beam to the next, in 1/10000°. */
  readonly resolution: number;
  /** Degrees of a segment; by default 30 below 30 Hz, and 60 from 30 Hz on. */
  readonly segment?: number | undefined;
}

/** Performance profiles by their number. */
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

/** Structure of a scan of a profile. */
interface ScanLayout {
  readonly beamsPerDegree: number;
  /** Number of beams of a scan, including those at both ends of the field of view. */
  readonly beams: number;
  /** Number of beams of a segment; the last one may have fewer. */
  readonly beamsPerSegment: number;
}

/**
 * Highest frequency (1/100 Hz) at which scans come in segments of 30°. Faster scans have segments of 60° (reference of
 * devices, Measuring).
 */
const fewerSegmentsFrom = 3000;

/**
 * Returns the beams and segments of a profile. 3333/10000° stands for a third of a degree, so that every segment begins
 * at a whole degree and the last beam is at 138°.
 */
export function layoutOf({ frequency, resolution, segment }: ProfileFacts): ScanLayout {
  const beamsPerDegree = Math.round(100_000 / resolution) / 10;
  const field = (fieldOfView.maximum - fieldOfView.minimum) / 10_000;
  return {
    beamsPerDegree,
    beams: Math.round(field * beamsPerDegree) + 1,
    beamsPerSegment: Math.round((segment ?? (frequency < fewerSegmentsFrom ? 30 : 60)) * beamsPerDegree),
  };
}

/** Returns profiles as a table for people. */
export function tableOfProfiles(profiles: Readonly<Record<number, ProfileFacts>>): ValueTable {
  return {
    head: [
      'profile',
      'scans a second (Hz)',
      'degrees from beam to beam',
      'beams a scan',
      'segments a scan',
      'beams a segment',
    ],
    rows: Object.entries(profiles).map(([number, facts]) => {
      const { beamsPerDegree, beams, beamsPerSegment } = layoutOf(facts);
      const segments = Math.ceil(beams / beamsPerSegment);
      const last = beams - (segments - 1) * beamsPerSegment;
      return [
        number,
        `${facts.frequency / 100}`,
        Number.isInteger(10_000 / beamsPerDegree) ? `${1 / beamsPerDegree}` : `1/${beamsPerDegree}`,
        `${beams}`,
        `${segments}`,
        `${beamsPerSegment}, the last ${last}`,
      ];
    }),
    note: 'The measuring range of each profile is not published.',
  };
}
