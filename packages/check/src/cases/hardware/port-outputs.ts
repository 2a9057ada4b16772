import { call, pause, post } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import {
  configure,
  inputIs,
  output,
  outputBecomes,
  outputCounts,
  outputIs,
  portIs,
  setOutput,
} from '../outside/port-steps.js';
import { reads, remembers } from '../value-steps.js';

const guide = 'guide: Inputs and outputs';
const decided = 'Azimuth: ports';

const names = ['PortConfiguration', 'OutputState', 'SetOutput'];
const written = { level: 'must', stage: 'write', place: guide, names } as const;

const switched = output(['SC02']);

const states: readonly ConformanceCase[] = [
  ...(
    [
      ['InputState', 'aDigitalIn'],
      ['OutputState', 'aDigitalOut'],
      ['PortState', 'aInternalPorts'],
    ] as const
  ).map(
    ([name, list]): ConformanceCase => ({
      id: `port.eight-in-${name}`,
      clause: `${name} has one item for each of the eight ports.`,
      place: guide,
      level: 'must',
      stage: 'read',
      names: [name],
      steps: [reads(name, { has: { [list]: { items: { present: true }, atLeast: 8, atMost: 8 } } })],
    }),
  ),
  ...['InputState', 'OutputState', 'PortState'].map(
    (name): ConformanceCase => ({
      id: `port.time-in-${name}`,
      clause: `${name} has the version 1, and the date and time of its last change.`,
      place: guide,
      level: 'must',
      stage: 'read',
      names: [name],
      steps: [
        reads(name, {
          has: {
            uiVersionNumber: { is: 1 },
            aTimeBlock: { items: { has: { uiYear: { from: 1970, to: 2105 } } }, atLeast: 1, atMost: 1 },
          },
        }),
      ],
    }),
  ),
  {
    ...written,
    id: 'port.no-input',
    clause: 'A port that is an output has the state 2 in InputState.',
    names: ['PortConfiguration', 'InputState'],
    steps: [configure({ 2: switched }), inputIs(2, 2)],
  },
  {
    ...written,
    id: 'port.no-output',
    clause: 'A port that is an input has the state 2 in OutputState.',
    steps: [configure({}), outputIs(2, 2)],
  },
  {
    ...written,
    id: 'port.encoder',
    clause: 'A port of the encoder is neither input nor output: its state is 2 everywhere.',
    level: 'should',
    place: decided,
    names: [...names, 'InputState', 'PortState'],
    steps: [
      configure({ 2: { PortType: 2, EncoderPortType: 1 } }),
      inputIs(2, 2),
      outputIs(2, 2),
      portIs(2, 2),
    ],
  },
];

const outputs: readonly ConformanceCase[] = [
  {
    ...written,
    id: 'port.set-output',
    clause: 'SetOutput switches an output whose source is its own SCxx on and off.',
    steps: [
      configure({ 2: switched }),
      outputIs(2, 0),
      setOutput(2, 1),
      outputIs(2, 1),
      setOutput(2, 0),
      outputIs(2, 0),
    ],
  },
  {
    ...written,
    id: 'port.state-of-output',
    clause: 'PortState has 1 for an output that is active, and 0 for one that is not.',
    names: [...names, 'PortState'],
    steps: [configure({ 2: switched }), portIs(2, 0), setOutput(2, 1), portIs(2, 1)],
  },
  {
    ...written,
    id: 'port.set-output-of-input',
    clause: 'SetOutput answers Success false for a port that is no output.',
    steps: [configure({}), setOutput(2, 1, false)],
  },
  {
    ...written,
    id: 'port.set-output-of-other-source',
    clause:
      'SetOutput answers Success false for an output that follows another source, and does not switch it.',
    steps: [configure({ 2: output(['SC03']) }), setOutput(2, 1, false), outputIs(2, 0)],
  },
  {
    ...written,
    id: 'port.set-output-9',
    clause: 'SetOutput answers Success false for a port that does not exist.',
    level: 'should',
    place: decided,
    steps: [setOutput(9, 1, false), setOutput(0, 1, false)],
  },
  {
    ...written,
    id: 'port.set-output-2',
    clause: 'SetOutput answers Success false for a value that is neither 0 nor 1.',
    level: 'should',
    place: decided,
    steps: [configure({ 2: switched }), setOutput(2, 2, false), outputIs(2, 0)],
  },
  {
    ...written,
    id: 'port.set-output-forgotten',
    clause: 'An output that no longer follows its SCxx forgets that SetOutput has switched it on.',
    level: 'should',
    place: decided,
    steps: [
      configure({ 2: switched }),
      setOutput(2, 1),
      configure({ 2: output([]) }),
      configure({ 2: switched }),
      outputIs(2, 0),
    ],
  },
  {
    ...written,
    id: 'port.set-output-without-login',
    clause: 'SetOutput needs a login: without one it answers status 4, and switches nothing.',
    level: 'should',
    place: decided,
    steps: [
      configure({ 2: switched }),
      post('SetOutput', { status: 4 }, { data: { Output: 2, Value: 1 } }),
      outputIs(2, 0),
    ],
  },
  {
    ...written,
    id: 'port.inverted-source',
    clause: 'A source that is inverted is active while it is not.',
    steps: [
      configure({ 2: output(['SC02', '!SC02'], { Combination: 0 }), 3: output(['!SC03']) }),
      outputIs(3, 1),
      setOutput(3, 1),
      outputIs(3, 0),
    ],
  },
  ...combinations(),
  {
    ...written,
    id: 'port.no-source',
    clause: 'An output without sources is never active, whatever combines them.',
    level: 'should',
    place: decided,
    steps: [
      configure({ 2: output([], { Combination: 0 }), 3: output(['    ']) }),
      outputIs(2, 0),
      outputIs(3, 0),
    ],
  },
  {
    ...written,
    id: 'port.unknown-source',
    clause: 'A source that does not exist is refused with status 9.',
    level: 'should',
    place: decided,
    steps: [
      configure({ 2: output(['XX01']) }, 9),
      configure({ 2: output(['FE49']) }, 9),
      configure({ 2: output(['SC00']) }, 9),
    ],
  },
  {
    ...written,
    id: 'port.known-sources',
    clause: 'The sources DRDY, FE01 to FE48, IN01 to IN08, SC01 to SC08, SROT and SCLK exist.',
    steps: [
      configure({ 2: output(['DRDY', 'FE01', 'FE48', 'IN01', 'IN08', 'SC01', 'SC08', 'SROT', 'SCLK']) }),
    ],
  },
  {
    ...written,
    id: 'port.reset-counter',
    clause:
      'mResetOutputCounter sets the counters of all outputs to zero, and answers ErrorCode 0. Outputs stay as they are.',
    names: [...names, 'mResetOutputCounter'],
    steps: [
      configure({ 2: switched, 3: output(['SC03']) }),
      setOutput(2, 1),
      setOutput(3, 1),
      call('mResetOutputCounter', undefined, { status: 0, data: { has: { ErrorCode: { is: 0 } } } }),
      outputCounts(2, 0),
      outputCounts(3, 0),
      outputIs(2, 1),
    ],
  },
  {
    ...written,
    id: 'port.counts',
    clause: 'OutputState counts how often an output was switched on.',
    steps: [
      configure({ 2: switched }),
      call('mResetOutputCounter', undefined),
      outputCounts(2, 0),
      setOutput(2, 1),
      outputCounts(2, 1),
      setOutput(2, 0),
      outputCounts(2, 1),
      setOutput(2, 1),
      outputCounts(2, 2),
    ],
  },
  {
    ...written,
    id: 'port.counts-changes',
    clause: 'An output that is switched on and is on already is not counted again.',
    steps: [
      configure({ 2: switched }),
      call('mResetOutputCounter', undefined),
      setOutput(2, 1),
      setOutput(2, 1),
      outputCounts(2, 1),
    ],
  },
  {
    ...written,
    id: 'port.counter-of-ports',
    clause: 'PortState counts as OutputState does.',
    names: [...names, 'PortState'],
    steps: [
      configure({ 2: switched }),
      call('mResetOutputCounter', undefined),
      setOutput(2, 1),
      reads('PortState', {
        has: { aInternalPorts: { begins: [{ present: true }, { has: { PortCounter: { is: 1 } } }] } },
      }),
    ],
  },
  {
    ...written,
    id: 'port.restart-at-once',
    clause: 'An output whose restart is immediate is off as soon as its source is.',
    steps: [configure({ 2: switched }), setOutput(2, 1), setOutput(2, 0), outputIs(2, 0)],
  },
  {
    ...written,
    id: 'port.restart-time',
    clause: 'An output that restarts by time stays on for that time after its source is off.',
    steps: [
      configure({ 2: output(['SC02'], { RestartType: 1, RestartTime: 2000 }) }),
      setOutput(2, 1),
      setOutput(2, 0),
      pause(1),
      outputIs(2, 1),
      outputBecomes(2, 0, 1.5),
    ],
  },
  {
    ...written,
    id: 'port.restart-time-begins-again',
    clause: 'The restart time begins again when the source is on meanwhile.',
    level: 'should',
    place: decided,
    steps: [
      configure({ 2: output(['SC02'], { RestartType: 1, RestartTime: 2000 }) }),
      setOutput(2, 1),
      setOutput(2, 0),
      pause(1),
      setOutput(2, 1),
      setOutput(2, 0),
      pause(1.4),
      outputIs(2, 1),
    ],
  },
  {
    ...written,
    id: 'port.time-of-change',
    clause: 'udiSystCount is the uptime of the last change, in µs: it stays while nothing changes.',
    steps: [
      configure({ 2: switched }),
      remembers('OutputState', 'count', 'udiSystCount'),
      pause(2),
      reads('OutputState', { has: { udiSystCount: { isSaved: 'count' } } }),
      setOutput(2, 1),
      reads('OutputState', {
        has: { udiSystCount: { minusSaved: 'count', from: 1_500_000, to: 30_000_000 } },
      }),
    ],
  },
];

/** Outputs 2 and 3 are switched; output 2 combines both sources. */
function combinations(): readonly ConformanceCase[] {
  const kinds = [
    ['and', 0, 'if all of its sources are', [0, 0, 1]],
    ['or', 1, 'if one of its sources is', [0, 1, 1]],
    ['xor', 2, 'if an odd number of its sources is', [0, 1, 0]],
  ] as const;
  return kinds.map(([name, Combination, when, [none, one, both]]) => ({
    ...written,
    id: `port.${name}`,
    clause: `An output that combines its sources by ${name.toUpperCase()} is active ${when} active.`,
    steps: [
      configure({ 2: output(['SC02', 'SC03'], { Combination }), 3: output(['SC03']) }),
      outputIs(2, none),
      setOutput(3, 1),
      outputIs(2, one),
      setOutput(2, 1),
      outputIs(2, both),
    ],
  }));
}

/** What ports are, and what switches outputs: without a known scene. */
export const outputCases: readonly ConformanceCase[] = [...states, ...outputs];
