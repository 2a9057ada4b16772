import { sample, silence, stream, telegrams, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import {
  about,
  eachScan,
  eachTelegram,
  is,
  scanTelegrams,
  step,
  streamCase,
  unfiltered,
  wholeScans,
} from './stream-case.js';

const place = 'guide: Compact';

/** Numbers and times of telegrams: what changes from one to the next. */
export const orderCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'stream.sequence',
    clause: 'The number of the telegram rises by one with each telegram of the stream.',
    place,
    level: 'must',
    steps: [sample('scan', unfiltered, { scans: 3 }, eachTelegram({ sequenceStep: step(is(1)) }, 20))],
  }),
  streamCase({
    id: 'stream.sequence-while-off',
    clause: 'While a stream is off, the number of its telegrams does not rise, and it does not begin anew.',
    place: 'Azimuth: Data streams',
    level: 'should',
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', { scans: 1 }, eachTelegram({}), { save: { last: 'last.sequence' } }),
      write('ScanDataEnable', false),
      silence('scan', 1),
      write('ScanDataEnable', true),
      telegrams(
        'scan',
        { telegrams: 4 },
        { has: { first: { has: { sequence: { minusSaved: 'last', from: 1, to: 80 } } } } },
      ),
    ],
  }),
  streamCase({
    id: 'stream.frame-number',
    clause: 'The number of the scan rises by one with each scan, and is the same in all telegrams of a scan.',
    place,
    level: 'must',
    steps: [sample('scan', unfiltered, { scans: 3 }, eachScan({ frameStep: is(1) }, 3))],
  }),
  streamCase({
    id: 'stream.segment-index',
    clause: 'The segments of a scan are counted from 0, each one more than the one before.',
    place,
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: wholeScans({ segments: is([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) }),
  }),
  streamCase({
    id: 'stream.segments-join',
    clause:
      'The beams of a segment follow those of the segment before: with a third of a degree, the first is 0.333° further.',
    place,
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: scanTelegrams({ gap: step({ from: 0.331, to: 0.336 }), azimuthStep: { from: 0.331, to: 0.336 } }),
  }),
  streamCase({
    id: 'stream.times-rise',
    clause: 'The first beam of a telegram is measured after the last beam of the telegram before.',
    place,
    level: 'must',
    steps: scanTelegrams({ beamTimeStep: step({ from: 1, to: 200_000 }) }),
  }),
  streamCase({
    id: 'stream.segment-times-join',
    clause:
      'The mirror turns evenly: within a scan, the first beam of a segment is measured one beam (61.7 µs) after the last one of the segment before.',
    place: 'family: recorded telegrams',
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: scanTelegrams({
      // Behind the last segment, the mirror turns through the sector without beams.
      beamTimeStep: step({
        any: [
          { from: 20, to: 200 },
          { from: 10_000, to: 200_000 },
        ],
      }),
    }),
  }),
  streamCase({
    id: 'stream.transmit-time',
    clause: 'The time of sending never falls from one telegram to the next.',
    place,
    level: 'must',
    steps: scanTelegrams({ transmitStep: step({ from: 0, to: 1_000_000 }) }),
  }),
  streamCase({
    id: 'stream.transmit-time-clock',
    clause:
      'The time of sending is that of the same clock as the times of beams: a telegram is sent soon after its beams were measured.',
    place: 'family: recorded telegrams',
    level: 'must',
    steps: scanTelegrams({ sentAfterFirstBeam: { from: -20_000, to: 200_000 } }),
  }),
  streamCase({
    id: 'stream.transmit-time-after-beams',
    clause: 'A telegram is sent when its last beam was measured, not before.',
    place: 'Azimuth: Data streams',
    level: 'informational',
    steps: scanTelegrams({ sentAfterLastBeam: { from: -100, to: 100_000 } }),
  }),
  streamCase({
    id: 'stream.period',
    clause: 'The times of successive scans show the scan frequency: at 15 Hz they are 66.7 ms apart.',
    place: 'guide: Profiles',
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: [
      sample('scan', unfiltered, { scans: 3 }, eachScan({ period: about(66_667, 0.03) }, 3), { within: 20 }),
    ],
  }),
  streamCase({
    id: 'stream.rate',
    clause: 'As many telegrams arrive as the scan frequency says: 150 a second at 15 Hz with 10 segments.',
    place: 'guide: Profiles',
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: [
      sample('scan', unfiltered, { seconds: 1 }, { has: { perSecond: about(150, 0.15) } }, { within: 20 }),
    ],
  }),
];
