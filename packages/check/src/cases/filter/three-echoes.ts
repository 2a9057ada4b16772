import type { Matcher } from '../../match/matcher.js';
import { type Step, sample } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { formerScene, inRoom } from '../outside/control-steps.js';
import { eachScan, is, streamCase, unfiltered } from '../stream/stream-case.js';

const place = 'guide: Filter details';
/** 31 beams ahead. */
const ahead = {
  ...unfiltered,
  LFPangleRangeFilter: { bEnable: true, fThetaStart: -50_000, fThetaStop: 50_000, uiBeamIncrement: 1 },
} as const;
const radial = { bEnable: true, ulDistMin: 0, ulDistMax: 5000 } as const;
/** mm: the front and the back of a block of glass, and the wall behind it. */
const front: Matcher = { from: 2400, to: 2600 };
const back: Matcher = { from: 3400, to: 3650 };
const wall: Matcher = { from: 7900, to: 8200 };

/** Beams of three echoes, in a known scene: which of them a filter leaves. */
export const threeEchoCases: readonly ConformanceCase[] = [
  throughGlass({
    id: 'filter.all-of-three',
    clause:
      'With ALL_ECHOS, a beam that goes through a block of glass has three echoes: the front, the back, and what is behind.',
    settings: {},
    expect: { echoesSeen: is(93), nearest: front, furthest: wall },
  }),
  throughGlass({
    id: 'filter.first-of-three',
    clause: 'FIRST_ECHO leaves the nearest echo of each beam.',
    settings: { FREchoFilter: 0 },
    expect: { echoesSeen: is(31), nearest: front, furthest: front },
  }),
  throughGlass({
    id: 'filter.last-of-three',
    clause: 'LAST_ECHO leaves the furthest echo of each beam.',
    settings: { FREchoFilter: 2 },
    expect: { echoesSeen: is(31), nearest: wall, furthest: wall },
  }),
  throughGlass({
    id: 'filter.radial-of-three',
    clause:
      'LFPradialDistanceRangeFilter removes single echoes of a beam. The others stay, and distance and signal strength of those removed are 0.',
    settings: { LFPradialDistanceRangeFilter: radial },
    expect: { echoesSeen: is(62), nearest: front, furthest: back, gaps: is(0), strengthsWithoutEcho: is(0) },
  }),
];

interface Remaining {
  readonly id: string;
  readonly clause: string;
  readonly settings: Parameters<typeof sample>[1];
  readonly expect: Readonly<Record<string, Matcher>>;
}

function throughGlass({ id, clause, settings, expect }: Remaining): ConformanceCase {
  const steps: readonly Step[] = [
    ...inRoom({ name: 'glass', x: 3, y: 0, size: [1, 2], material: 'glass' }),
    sample('scan', { ...ahead, ...settings }, { scans: 3 }, eachScan(expect), { within: 20 }),
  ];
  return {
    ...streamCase({
      ...{ id, clause, place, steps, level: 'must', cleanup: [formerScene] },
      names: ['LFPangleRangeFilter', 'LFPradialDistanceRangeFilter', 'FREchoFilter'],
    }),
    stage: 'core',
  };
}
