import { sample } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { about, eachScan, eachTelegram, is, streamCase, unfiltered } from './stream-case.js';

/** What a performance profile measures, by the maker's table. */
interface Profile {
  readonly number: number;
  /** Hz. */
  readonly frequency: number;
  /** Angle between two beams, in degrees. */
  readonly step: number;
  /** Beams of each segment but the last, and of the last one. */
  readonly sizes: readonly [number, number];
  readonly segments: number;
}

const row = (
  number: number,
  frequency: number,
  step: number,
  segments: number,
  sizes: readonly [number, number],
): Profile => ({ number, frequency, step, segments, sizes });

/** 276°, both ends in; segments of 30° up to 25 Hz, and of 60° from 30 Hz on. */
const profiles: readonly Profile[] = [
  row(1, 15, 0.5, 10, [60, 13]),
  row(2, 15, 1 / 3, 10, [90, 19]),
  row(3, 20, 0.1, 10, [300, 61]),
  row(4, 20, 0.25, 10, [120, 25]),
  row(5, 25, 0.25, 10, [120, 25]),
  row(6, 30, 0.1, 5, [600, 361]),
  row(7, 40, 0.25, 5, [240, 145]),
  row(8, 50, 0.25, 5, [240, 145]),
  row(9, 15, 0.05, 10, [600, 121]),
  row(10, 40, 0.125, 5, [480, 289]),
  row(11, 15, 1, 10, [30, 7]),
];

/** Seconds in which the motor reaches another speed. */
const settling = 30;
const place = 'guide: Profiles';

/** PerformanceProfileNumber: what each profile measures. */
export const profileCases: readonly ConformanceCase[] = profiles.flatMap((profile) => {
  const { number, frequency, step, segments, sizes } = profile;
  const settings = { ...unfiltered, PerformanceProfileNumber: number };
  const names = ['PerformanceProfileNumber'];
  return [
    streamCase({
      id: `stream.profile-${number}-frequency`,
      clause: `With performance profile ${number}, the scanner measures ${frequency} scans a second. No restart is needed.`,
      place,
      level: 'must',
      names,
      steps: [
        sample('scan', settings, { scans: 2 }, eachScan({ period: about(1_000_000 / frequency, 0.03) }), {
          within: settling,
        }),
      ],
    }),
    streamCase({
      id: `stream.profile-${number}-beams`,
      clause: `With performance profile ${number}, beams are ${shortened(step)}° apart, from -138° to 138°, and a scan is sent in ${segments} segments of ${segments === 5 ? 60 : 30}°.`,
      place: `${place}, Compact`,
      level: 'must',
      names,
      steps: [
        sample(
          'scan',
          settings,
          { scans: 1 },
          eachScan(
            {
              sizes: is([...Array.from({ length: segments - 1 }, () => sizes[0]), sizes[1]]),
              firstAzimuth: { from: -138.01, to: -137.99 },
              lastAzimuth: { from: 137.99, to: 138.01 },
            },
            1,
          ),
          { within: settling },
        ),
      ],
    }),
    streamCase({
      id: `stream.profile-${number}-times`,
      clause: `With performance profile ${number}, the mirror takes ${shortened(beamTime(profile))} µs from one beam to the next, by the times in each telegram.`,
      place: `${place}, Compact`,
      level: 'must',
      names,
      steps: [
        sample(
          'scan',
          settings,
          { scans: 1 },
          eachTelegram({ beamInterval: about(beamTime(profile), 0.02) }),
          { within: settling },
        ),
      ],
    }),
  ];
});

/** µs from one beam to the next. */
function beamTime({ frequency, step }: Profile): number {
  return (1_000_000 * step) / (360 * frequency);
}

function shortened(degrees: number): string {
  return String(Math.round(degrees * 1000) / 1000);
}
