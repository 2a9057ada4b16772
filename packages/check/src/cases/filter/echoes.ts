import { sample } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachScan, eachTelegram, is, streamCase, unfiltered } from '../stream/stream-case.js';
import { echoesIn, some } from './echoes-in.js';

const place = 'guide: Filter details';
const take = { scans: 3 } as const;

/** FREchoFilter. */
export const echoCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'filter.echo-first',
    clause: 'With FIRST_ECHO, a telegram has one echo for each beam.',
    ...{ place, level: 'must', names: ['FREchoFilter'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, FREchoFilter: 0 },
        take,
        eachTelegram({ echoes: is(1), beamBytes: is(7) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.echo-last',
    clause: 'With LAST_ECHO, a telegram has one echo for each beam.',
    ...{ place, level: 'must', names: ['FREchoFilter'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, FREchoFilter: 2 },
        take,
        eachTelegram({ echoes: is(1), beamBytes: is(7) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.echo-keeps-beams',
    clause: 'An echo filter keeps an echo of every beam that has one.',
    ...{ place, level: 'must', names: ['FREchoFilter'] },
    steps: [
      ...echoesIn({ distance: [1, 1_000_000] }),
      sample(
        'scan',
        { ...unfiltered, FREchoFilter: 0 },
        take,
        eachScan({ beamsWithEcho: some, gaps: is(0) }),
      ),
    ],
  }),
];
