import { call, sample, stream, telegrams } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachScan, is, streamCase, unfiltered } from '../stream/stream-case.js';

const place = 'guide: Filter details';
const take = { scans: 3 } as const;
const average = (uiAveragingDepth: number) => ({ bEnable: true, uiAveragingDepth });
const done = { status: 0, data: { has: { ErrorCode: is(0) } } } as const;

/** Filters that compare scans: averages and particles. */
export const averageCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'filter.average-every-scan',
    clause:
      'With LFPmovingAveragingFilter, every scan has a result: numbers and times of scans follow each other as without it.',
    ...{ place, level: 'must', names: ['LFPmovingAveragingFilter'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPmovingAveragingFilter: average(4) },
        take,
        eachScan({ frameStep: is(1), period: { from: 45_000, to: 68_700 } }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.average-beams',
    clause: 'An average has all beams, and its strengths are those of a scan.',
    ...{ place, level: 'must', names: ['LFPmovingAveragingFilter', 'PerformanceProfileNumber'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPmovingAveragingFilter: average(3) },
        take,
        eachScan({
          beams: is(829),
          unevenStrengths: is(0),
          strengthsWithoutEcho: is(0),
          gaps: is(0),
          unordered: is(0),
        }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.average-first-output',
    clause:
      'The first average is sent when as many scans were measured as it is deep: with the depth 4, three scans later than without the filter.',
    ...{ place, level: 'should', names: ['LFPmovingAveragingFilter', 'PerformanceProfileNumber'] },
    steps: [
      stream('scan', { ...unfiltered, LFPmovingAveragingFilter: average(4) }),
      telegrams('scan', take, eachScan({})),
      call('mStopMeasure', undefined, done),
      telegrams('scan', { seconds: 0.5 }, { present: true }),
      call('mStartMeasure', undefined, done),
      telegrams('scan', { telegrams: 1 }, { has: { waited: { from: 0.21, to: 30 } } }),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  }),
  streamCase({
    id: 'filter.average-with-interval',
    clause:
      'Averages and LFPintervalFilter work together: with the same number, each scan goes into one average that is sent.',
    place: 'family: manuals',
    ...{ level: 'should', names: ['LFPmovingAveragingFilter', 'LFPintervalFilter'] },
    steps: [
      sample(
        'scan',
        {
          ...unfiltered,
          LFPmovingAveragingFilter: average(3),
          LFPintervalFilter: { bEnable: true, uiReductionFactor: 3 },
        },
        take,
        eachScan({ frameStep: is(3) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.particle-beams',
    clause:
      'LFPparticle keeps all beams, and places without an echo stay empty: no gap before an echo, no strength without one.',
    ...{ place, level: 'must', names: ['LFPparticle'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPparticle: { bEnable: true, uiThreshold: 500 } },
        take,
        eachScan({
          firstAzimuth: { from: -138.01, to: -137.99 },
          lastAzimuth: { from: 137.66, to: 138.01 },
          gaps: is(0),
          unordered: is(0),
          strengthsWithoutEcho: is(0),
          frameStep: is(1),
        }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.particle-keeps-walls',
    clause: 'LFPparticle keeps what neighbouring beams and successive scans see alike.',
    ...{ place, level: 'must', names: ['LFPparticle'] },
    steps: [
      sample('scan', unfiltered, take, eachScan({ beamsWithEcho: { from: 100, to: 100_000 } })),
      sample(
        'scan',
        { ...unfiltered, LFPparticle: { bEnable: true, uiThreshold: 500 } },
        take,
        eachScan({ beamsWithEcho: { from: 50, to: 100_000 } }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.fog-keeps-far',
    clause:
      'The fog filter (MCSenseLevel 1) acts at close range only, up to about 3 m: echoes further away stay.',
    ...{ place, level: 'must', names: ['MCSenseLevel'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, MCSenseLevel: 1 },
        take,
        eachScan({ inside: { from: 1, to: 100_000 } }),
        {
          region: { distance: [4000, 1_000_000] },
        },
      ),
    ],
  }),
];
