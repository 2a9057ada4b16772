import type { Json } from '../../match/matcher.js';
import { sample, stream, telegrams } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachScan, eachTelegram, is, step, streamCase, unfiltered } from '../stream/stream-case.js';
import { echoesIn, some } from './echoes-in.js';

const place = 'guide: Filter details';
const take = { scans: 3 } as const;
const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/** A range of angles in 1/10000°, with every beam in it. */
const angles = (fThetaStart: number, fThetaStop: number, more: Readonly<Record<string, Json>> = {}) => ({
  ...unfiltered,
  LFPangleRangeFilter: { bEnable: true, fThetaStart, fThetaStop, uiBeamIncrement: 1, ...more },
});
const profile = 'PerformanceProfileNumber';
const range = ['LFPangleRangeFilter', profile];

/** LFPangleRangeFilter: the range of angles, and every n-th beam in it. */
export const angleCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'filter.angle-outside',
    clause: 'LFPangleRangeFilter hides the beams outside of its range: their distances are 0.',
    ...{ place, level: 'must', names: range },
    steps: [
      sample('scan', angles(-300_000, 300_000), take, eachScan({ outside: is(0) }), {
        region: { azimuth: [-30.01, 30.01] },
      }),
    ],
  }),
  streamCase({
    id: 'filter.angle-inside',
    clause: 'LFPangleRangeFilter keeps the echoes of the beams in its range.',
    ...{ place, level: 'must', names: range },
    steps: [
      ...echoesIn({ azimuth: [-30, 30] }),
      sample('scan', angles(-300_000, 300_000), take, eachScan({ inside: some }), {
        region: { azimuth: [-30, 30] },
      }),
    ],
  }),
  streamCase({
    id: 'filter.angle-strengths',
    clause: 'The signal strengths of hidden beams are 0, as their distances are.',
    ...{ place, level: 'must', names: range },
    steps: [
      sample(
        'scan',
        angles(-300_000, 300_000),
        take,
        eachScan({ strengthsWithoutEcho: is(0), propertiesWithoutEcho: is(0) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.angle-segments',
    clause: 'Segments without a visible beam are not sent. The others are counted from 0.',
    place: `${place}, Compact`,
    ...{ level: 'must', names: range },
    steps: [sample('scan', angles(-300_000, 300_000), take, eachScan({ segments: is([0, 1, 2]) }))],
  }),
  streamCase({
    id: 'filter.angle-partly-hidden',
    clause: 'A segment that is partly hidden is sent with all of its beams: borders of segments never move.',
    place: `${place}, Compact`,
    ...{ level: 'must', names: range },
    steps: [
      sample(
        'scan',
        angles(-300_000, 300_000),
        take,
        eachScan({
          sizes: is([90, 90, 90]),
          firstAzimuth: { from: -48.01, to: -47.99 },
          lastAzimuth: { from: 41.65, to: 41.68 },
        }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.angle-of-fast-profile',
    clause: 'At 40 Hz segments have 60°: with a range of ±90°, 4 of 5 are sent.',
    place: 'guide: Compact',
    ...{ level: 'must', names: range },
    steps: [
      sample(
        'scan',
        { ...angles(-900_000, 900_000), PerformanceProfileNumber: 7 },
        take,
        eachScan({ segments: is([0, 1, 2, 3]) }),
        {
          within: 30,
        },
      ),
    ],
  }),
  streamCase({
    id: 'filter.angle-stop-included',
    clause: 'The stop of the range belongs to it: with 12°, the segment that begins at 12° is sent.',
    place: 'Azimuth: Filters',
    ...{ level: 'should', names: range },
    steps: [sample('scan', angles(-180_000, 120_000), take, eachScan({ sizes: is([90, 90]) }))],
  }),
  streamCase({
    id: 'filter.angle-stop',
    clause: 'A segment that begins behind the stop of the range is not sent.',
    ...{ place, level: 'must', names: range },
    steps: [sample('scan', angles(-180_000, 116_700), take, eachScan({ sizes: is([90]) }))],
  }),
  streamCase({
    id: 'filter.angle-start-included',
    clause: 'The start of the range belongs to it: with the last beam of a segment, this segment is sent.',
    place: 'Azimuth: Filters',
    ...{ level: 'should', names: range },
    steps: [sample('scan', angles(-183_333, 116_700), take, eachScan({ sizes: is([90, 90]) }))],
  }),
  streamCase({
    id: 'filter.angle-sequence',
    clause: 'Segments that are not sent leave no gap in the numbers of telegrams.',
    place: 'Azimuth: Data streams',
    ...{ level: 'should', names: range },
    steps: [sample('scan', angles(-300_000, 300_000), take, eachTelegram({ sequenceStep: step(is(1)) }))],
  }),
  streamCase({
    id: 'filter.angle-times',
    clause:
      'A range of angles does not change the times of the beams in it: scans are as far apart as without it.',
    place: 'Azimuth: Filters',
    ...{ level: 'should', names: range },
    steps: [
      sample(
        'scan',
        angles(-300_000, 300_000),
        take,
        eachScan({ period: { from: 64_600, to: 68_700 }, frameStep: is(1) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.angle-off',
    clause: 'A filter whose bEnable is false does nothing, whatever its other members are.',
    ...{ place, level: 'must', names: range },
    steps: [
      sample(
        'scan',
        angles(-10_000, 10_000, { bEnable: false, uiBeamIncrement: 5 }),
        take,
        eachScan({ segments: is(all), beams: is(829) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.angle-reversed',
    clause: 'With a start above the stop, no beam is in the range, and nothing is sent.',
    place: 'Azimuth: Filters',
    ...{ level: 'informational', names: range },
    steps: [
      stream('scan', angles(300_000, -300_000)),
      telegrams('scan', { seconds: 1 }, { has: { telegrams: is([]) } }),
    ],
  }),
  streamCase({
    id: 'filter.angle-phi',
    clause: 'The range of phi has no effect on a scanner with one plane.',
    ...{ place, level: 'must', names: range },
    steps: [
      sample(
        'scan',
        angles(-300_000, 300_000, { fPhiStart: 100_000, fPhiStop: 200_000 }),
        take,
        eachScan({ segments: is([0, 1, 2]) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.increment',
    clause: 'With a beam increment of 2, every second beam of a segment is sent, from its first one on.',
    ...{ place, level: 'must', names: range },
    steps: [
      sample(
        'scan',
        angles(-1_380_000, 1_380_000, { uiBeamIncrement: 2 }),
        take,
        eachScan({
          sizes: is([45, 45, 45, 45, 45, 45, 45, 45, 45, 10]),
          firstAzimuth: { from: -138.01, to: -137.99 },
        }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.increment-azimuths',
    clause: 'With a beam increment, azimuths and times in a telegram are those of the beams that are sent.',
    ...{ place, level: 'must', names: range },
    steps: [
      sample(
        'scan',
        angles(-1_380_000, 1_380_000, { uiBeamIncrement: 3 }),
        take,
        eachTelegram({
          azimuthStep: { from: 0.998, to: 1.002 },
          unevenness: { from: 0, to: 0.0065 },
          beamInterval: { from: 180, to: 190 },
        }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.increment-two-beams',
    clause:
      'A segment never has a single beam: some receivers divide by the number of beams less one. Its last beam is sent, too.',
    place: 'family: receivers',
    ...{ level: 'should', names: range },
    steps: [
      sample(
        'scan',
        angles(-1_380_000, 1_380_000, { uiBeamIncrement: 20 }),
        take,
        eachScan({ sizes: is([5, 5, 5, 5, 5, 5, 5, 5, 5, 2]) }),
      ),
    ],
  }),
];
