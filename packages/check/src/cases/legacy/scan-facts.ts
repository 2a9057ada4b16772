import { type Matcher, type Step, write } from '../../steps/index.js';
import type { ConformanceCase, ReleaseRange, RequirementLevel } from '../case.js';
import { allLow, configure, input, level, lowAgain, output, setOutput } from '../outside/port-steps.js';
import { changed, config, each, follow, needed, place, scans, usual } from './scan-settings.js';
import { inBothForms } from './telegrams.js';

/** A channel of the usual settings. */
const channel = (content: string, more: Readonly<Record<string, Matcher>> = {}): Matcher => ({
  has: {
    content: { is: content },
    scale: { is: 1 },
    offset: { is: 0 },
    start: { is: -480_000 },
    step: { is: 3333 },
    count: { is: 829 },
    ...more,
  },
});

interface Fact {
  readonly id: string;
  readonly clause: string;
  readonly level?: RequirementLevel;
  readonly before?: readonly Step[];
  /** Done while a connection follows the scans. */
  readonly meanwhile?: readonly Step[];
  readonly releases?: ReleaseRange;
  readonly expect: Matcher;
  readonly count?: number;
  /** Times that scans are taken until they are as expected; once by default. */
  readonly attempts?: number;
  readonly names?: readonly string[];
}

const facts: readonly Fact[] = [
  {
    id: 'counters',
    clause: 'The telegram counter and the scan counter grow by 1 from scan to scan.',
    expect: { has: { steps: { has: { telegram: { items: { is: 1 } }, scan: { items: { is: 1 } } } } } },
    count: 5,
  },
  {
    id: 'times',
    clause: 'The time since start and the time of transmission grow by the time of a turn: 66.7 ms at 15 Hz.',
    expect: {
      has: {
        steps: {
          has: {
            started: { items: { from: 66_000, to: 67_400 } },
            sent: { items: { from: 55_000, to: 78_000 } },
          },
        },
      },
    },
    count: 5,
    attempts: 4,
  },
  {
    id: 'delay',
    clause:
      'The time since start is that at the zero index before the scan, and the time of transmission that of the same clock: later, by less than 0.2 s.',
    expect: each({ delay: { from: 0, to: 200_000 } }),
  },
  {
    id: 'version',
    clause: 'The version is 1 or more, and the device number is there.',
    expect: each({ version: { from: 1, to: 9 }, device: { from: 0, to: 65_535 } }),
  },
  {
    id: 'status',
    clause: 'The status of a scanner without an error is 0 0.',
    expect: each({ status: { is: [0, 0] } }),
  },
  {
    id: 'frequency',
    clause: 'The scan frequency is that of the profile, in 1/100 Hz: 1500 in profile 2.',
    expect: each({ frequency: { is: 1500 } }),
  },
  {
    id: 'reserved',
    clause: 'Behind the scan frequency stand 32 reserved bits: always 0. So is the layer.',
    expect: each({ reserved: { is: 0 }, layer: { is: 0 } }),
  },
  {
    id: 'distances',
    clause:
      'The 16-bit channel is DIST1, with scale 1, offset 0, from -48 degrees on, one value each third of a degree.',
    expect: each({ wide: { items: channel('DIST1'), atLeast: 1, atMost: 1 } }),
  },
  {
    id: 'strengths',
    clause: 'The 8-bit channel is RSSI1, with the head and the number of values of DIST1.',
    expect: each({ narrow: { items: channel('RSSI1'), atLeast: 1, atMost: 1 } }),
  },
  {
    id: 'distance-range',
    clause: 'A distance is 0 for nothing; 1 to 15 are reserved.',
    expect: each({ wide: { items: { has: { least: { from: 16, to: 65_535 } } } } }),
  },
  {
    id: 'strength-range',
    clause: 'A signal strength is from 1 to 254 where something was seen: 255 is reserved.',
    expect: each({ narrow: { items: { has: { least: { from: 1, to: 254 }, most: { from: 0, to: 254 } } } } }),
  },
  {
    id: 'no-strengths',
    clause: 'Without RemDataConfig.bEnable there is no 8-bit channel.',
    before: [config({}, false)],
    expect: each({ narrow: { is: [] }, wide: { items: channel('DIST1'), atLeast: 1, atMost: 1 } }),
  },
  {
    id: 'echoes',
    clause:
      'If FREchoFilter lets all echoes through, there are three channels of each kind: DIST1 to DIST3, RSSI1 to RSSI3.',
    before: [write('FREchoFilter', 1)],
    expect: each({
      wide: { items: channel('DIST1', { content: { pattern: '^DIST[123]$' } }), atLeast: 3, atMost: 3 },
      narrow: { items: channel('RSSI1', { content: { pattern: '^RSSI[123]$' } }), atLeast: 3, atMost: 3 },
    }),
  },
  {
    id: 'last-echo',
    clause: 'With the last echo alone, there is one channel of each kind.',
    before: [write('FREchoFilter', 2)],
    expect: each({
      wide: { items: channel('DIST1'), atLeast: 1, atMost: 1 },
      narrow: { items: channel('RSSI1'), atLeast: 1, atMost: 1 },
    }),
  },
  {
    id: 'long-range',
    clause: 'With EnableLongRangeMode the scale of distances is 2.',
    before: [write('EnableLongRangeMode', true)],
    names: ['EnableLongRangeMode'],
    expect: each({
      wide: { items: channel('DIST1', { scale: { is: 2 } }) },
      narrow: { items: channel('RSSI1') },
    }),
  },
  {
    id: 'no-blocks',
    clause: 'Unless configured, no encoder, position, name, comment, time or event follows.',
    expect: each({
      encoders: { is: [] },
      positions: { is: [] },
      names: { is: [] },
      comments: { is: [] },
      times: { is: [] },
      events: { is: [] },
    }),
  },
  {
    id: 'encoder',
    clause: 'With EnableEncoderBlock, one encoder with ticks and speed is in front of the channels.',
    before: [config({ EnableEncoderBlock: true })],
    expect: each({
      encoders: {
        items: { has: { ticks: { from: 0, to: 4_294_967_295 }, speed: { from: -32_768, to: 32_767 } } },
        atLeast: 1,
        atMost: 1,
      },
    }),
  },
  {
    id: 'name',
    clause: 'With bEnableDeviceName, LocationName follows the channels.',
    before: [config({ bEnableDeviceName: true }), write('LocationName', 'Gate 3')],
    expect: each({ names: { is: ['Gate 3'] }, times: { is: [] } }),
  },
  {
    id: 'long-name',
    clause:
      'The length of the name is a number as all others: the 11 characters of `Gate 3 east` have the length B in text.',
    before: [config({ bEnableDeviceName: true }), write('LocationName', 'Gate 3 east')],
    expect: each({ names: { is: ['Gate 3 east'] } }),
  },
  {
    id: 'time',
    clause:
      'With bEnableTimeBlock, the time of the device follows: year, month, day, hour, minute, second, microseconds.',
    before: [config({ bEnableTimeBlock: true })],
    expect: each({
      times: {
        items: {
          has: {
            year: { from: 1970, to: 2105 },
            month: { from: 1, to: 12 },
            day: { from: 1, to: 31 },
            hour: { from: 0, to: 23 },
            minute: { from: 0, to: 59 },
            second: { from: 0, to: 60 },
            microsecond: { from: 0, to: 999_999 },
          },
        },
        atLeast: 1,
        atMost: 1,
      },
      names: { is: [] },
    }),
  },
  {
    id: 'profile',
    clause:
      'With another profile, frequency, step and number of values are those of the profile: 25 Hz, 0.25 degrees, 1105 values in profile 5.',
    before: [write('PerformanceProfileNumber', 5)],
    expect: each({
      frequency: { is: 2500 },
      wide: { items: channel('DIST1', { step: { is: 2500 }, count: { is: 1105 } }) },
    }),
  },
  {
    id: 'angles',
    clause:
      'The angle range filter limits the values: from 0 to 90 degrees of the device, telegrams go from 90 to 180 degrees.',
    before: [
      write('LFPangleRangeFilter', {
        bEnable: true,
        fThetaStart: 0,
        fThetaStop: 900_000,
        fPhiStart: -900_000,
        fPhiStop: 900_000,
        uiBeamIncrement: 1,
      }),
    ],
    expect: each({
      wide: {
        items: channel('DIST1', { start: { from: 900_000, to: 903_333 }, count: { from: 270, to: 271 } }),
      },
    }),
  },
  {
    id: 'increment',
    clause: 'With a beam increment of 2, every second value is sent, and the step is twice as wide.',
    before: [
      write('LFPangleRangeFilter', {
        bEnable: true,
        fThetaStart: -1_380_000,
        fThetaStop: 1_380_000,
        fPhiStart: -900_000,
        fPhiStop: 900_000,
        uiBeamIncrement: 2,
      }),
    ],
    expect: each({
      wide: { items: channel('DIST1', { step: { from: 6666, to: 6667 }, count: { is: 415 } }) },
    }),
  },
  {
    id: 'interval',
    clause:
      'With the interval filter, every n-th scan is sent: the scan counter grows by n, and the telegram counter by 1.',
    before: [write('LFPintervalFilter', { bEnable: true, uiReductionFactor: 3 })],
    names: ['LFPintervalFilter'],
    expect: { has: { steps: { has: { telegram: { items: { is: 1 } }, scan: { items: { is: 3 } } } } } },
    count: 4,
  },
  {
    id: 'outputs',
    clause: 'The outputs are bits, low byte first: bit 0 is output 1, so that output 2 alone is 2 0.',
    before: [configure({ 2: output(['SC02']) }), setOutput(2, 1)],
    names: ['PortConfiguration', 'SetOutput'],
    releases: { since: '2.1.0' },
    expect: each({ outputs: { is: [2, 0] } }),
  },
  {
    id: 'new-content',
    clause: 'A change of ScanDataConfig takes effect while a connection follows the scans.',
    meanwhile: [config({ bEnableTimeBlock: true }, false)],
    expect: each({ times: { items: { present: true }, atLeast: 1, atMost: 1 }, narrow: { is: [] } }),
  },
  {
    id: 'new-echoes',
    clause: 'A change of FREchoFilter takes effect while a connection follows the scans.',
    meanwhile: [write('FREchoFilter', 1)],
    expect: each({ wide: { items: { present: true }, atLeast: 3, atMost: 3 } }),
  },
  {
    id: 'new-scale',
    clause: 'A change of EnableLongRangeMode takes effect while a connection follows the scans.',
    meanwhile: [write('EnableLongRangeMode', true)],
    names: ['EnableLongRangeMode'],
    expect: each({ wide: { items: channel('DIST1', { scale: { is: 2 } }) } }),
  },
  {
    id: 'new-angles',
    clause: 'A change of LFPangleRangeFilter takes effect while a connection follows the scans.',
    meanwhile: [
      write('LFPangleRangeFilter', {
        bEnable: true,
        fThetaStart: -900_000,
        fThetaStop: 900_000,
        fPhiStart: -900_000,
        fPhiStop: 900_000,
        uiBeamIncrement: 1,
      }),
    ],
    expect: each({ wide: { items: channel('DIST1', { start: { is: 0 }, count: { is: 541 } }) } }),
  },
];

export const scanFactCases: readonly ConformanceCase[] = [
  ...inBothForms((form) => ({
    id: 'scan.inputs',
    clause: 'The inputs are bits, low byte first: bit 0 is input 1, so that input 2 alone is 2 0.',
    place,
    level: 'must',
    stage: 'core',
    names: [...needed, 'PortConfiguration', 'InputState'],
    releases: { since: '2.1.0' },
    changes: changed,
    steps: [
      ...usual,
      ...allLow,
      configure({ 1: input(), 2: input() }),
      level(2, true),
      follow(form),
      scans(form, each({ inputs: { is: [2, 0] } }), 3, 6),
    ],
    cleanup: lowAgain,
  })),
  ...facts.flatMap(
    ({
      id,
      clause,
      level = 'must',
      before = [],
      meanwhile,
      expect,
      count = 3,
      attempts = 1,
      names = [],
      ...rest
    }) =>
      inBothForms((form) => ({
        ...rest,
        id: `scan.${id}`,
        clause,
        place,
        level,
        stage: 'write',
        names: [...needed, ...names],
        changes: changed,
        steps: [
          ...usual,
          ...before,
          follow(form),
          ...(meanwhile === undefined ? [] : [scans(form, { has: {} }, 1), ...meanwhile]),
          { ...scans(form, expect, count), attempts },
        ],
      })),
  ),
];
