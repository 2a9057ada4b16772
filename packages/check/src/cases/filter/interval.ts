import { sample, stream, telegrams, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachScan, eachTelegram, is, step, streamCase, unfiltered } from '../stream/stream-case.js';

const place = 'guide: Filter details';
const take = { scans: 3 } as const;
const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const profile = 'PerformanceProfileNumber';

/** LFPintervalFilter. */
export const intervalCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'filter.interval',
    clause: 'LFPintervalFilter with the factor 3 sends every third scan.',
    ...{ place, level: 'must', names: ['LFPintervalFilter', profile] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPintervalFilter: { bEnable: true, uiReductionFactor: 3 } },
        take,
        eachScan({ frameStep: is(3), segments: is(all) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.interval-sequence',
    clause: 'Scans that are not sent leave no gap in the numbers of telegrams.',
    place: 'Azimuth: Data streams',
    ...{ level: 'should', names: ['LFPintervalFilter'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPintervalFilter: { bEnable: true, uiReductionFactor: 2 } },
        take,
        eachTelegram({ sequenceStep: step(is(1)), frameStep: step({ oneOf: [0, 2] }) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.interval-factor-50',
    clause: 'LFPintervalFilter sends every 50th scan with the largest factor.',
    place: 'specification: Data reduction',
    ...{ level: 'must', names: ['LFPintervalFilter', profile] },
    steps: [
      sample(
        'scan',
        {
          ...unfiltered,
          PerformanceProfileNumber: 8,
          LFPintervalFilter: { bEnable: true, uiReductionFactor: 50 },
        },
        { scans: 1 },
        { has: { telegrams: { items: { has: { frameStep: step({ oneOf: [0, 50] }) } }, atLeast: 6 } } },
        { within: 30 },
      ),
    ],
  }),
  streamCase({
    id: 'filter.interval-off',
    clause: 'With bEnable false, LFPintervalFilter leaves no scan out.',
    ...{ place, level: 'must', names: ['LFPintervalFilter'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPintervalFilter: { bEnable: false, uiReductionFactor: 4 } },
        take,
        eachScan({ frameStep: is(1) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.interval-while-sending',
    clause: 'A change of LFPintervalFilter takes effect while the stream is on.',
    place: 'Azimuth: Filters',
    ...{ level: 'should', names: ['LFPintervalFilter'] },
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', take, eachScan({ frameStep: is(1) })),
      write('LFPintervalFilter', { bEnable: true, uiReductionFactor: 2 }),
      telegrams('scan', take, eachScan({ frameStep: is(2) })),
    ],
  }),
];
