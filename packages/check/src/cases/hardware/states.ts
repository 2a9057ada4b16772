import { call, control, pause, type Step, write } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import { becomes, define, field, isActive, state } from '../fields/field-steps.js';
import {
  endFaults,
  fault,
  formerScene,
  inRoom,
  type PlannedFault,
  recovered,
  type Thing,
} from '../outside/control-steps.js';
import { comesTo, reads, remembers, soon } from '../value-steps.js';

const guide = 'guide: Status';
const decided = 'Azimuth: when a core fails';

const written = {
  level: 'must',
  stage: 'write',
  place: guide,
  names: ['DeviceStatus', 'SCdevicestate', 'mStartMeasure', 'mStopMeasure', 'mStandby'],
  cleanup: [call('mStartMeasure', undefined)],
} as const;

const done = { status: 0, data: { has: { ErrorCode: { is: 0 } } } } as const;
const stop = call('mStopMeasure', undefined, done);
const start = call('mStartMeasure', undefined, done);
const standby = call('mStandby', undefined, done);

/** s within which a motor is at speed again. */
const startTime = 20;

const measuring: readonly ConformanceCase[] = [
  {
    ...written,
    id: 'state.stop',
    clause: 'mStopMeasure answers ErrorCode 0. DeviceStatus is 4, SuspendedOperation, then.',
    steps: [stop, comesTo('DeviceStatus', 4, 2)],
  },
  {
    ...written,
    id: 'state.stop-busy',
    clause: 'While nothing is measured, SCdevicestate is 0.',
    level: 'should',
    place: decided,
    steps: [stop, comesTo('SCdevicestate', 0, 2)],
  },
  {
    ...written,
    id: 'state.start',
    clause: 'mStartMeasure answers ErrorCode 0. DeviceStatus is what it was before mStopMeasure then.',
    steps: [
      start,
      pause(1),
      remembers('DeviceStatus', 'before', ''),
      stop,
      comesTo('DeviceStatus', 4, 2),
      start,
      soon(reads('DeviceStatus', { not: { is: 4 } }), startTime),
    ],
  },
  {
    ...written,
    id: 'state.standby',
    clause: 'mStandby answers ErrorCode 0. DeviceStatus is 4, and mStartMeasure ends it.',
    steps: [
      standby,
      comesTo('DeviceStatus', 4, 2),
      start,
      soon(reads('DeviceStatus', { not: { is: 4 } }), startTime),
    ],
  },
  {
    ...written,
    id: 'state.start-again',
    clause: 'mStartMeasure of a scanner that measures answers ErrorCode 0, and changes nothing.',
    level: 'should',
    place: 'Azimuth: status',
    steps: [start, start, soon(reads('DeviceStatus', { not: { is: 4 } }), startTime)],
  },
  {
    ...written,
    id: 'state.stop-again',
    clause: 'mStopMeasure of a scanner that is stopped answers ErrorCode 0, and it stays stopped.',
    level: 'should',
    place: 'Azimuth: status',
    steps: [stop, stop, comesTo('DeviceStatus', 4, 2)],
  },
  {
    ...written,
    id: 'state.parameter-takes-no-effect',
    clause: 'AutoStartMeasure takes effect at the next boot: a change of it neither starts nor stops.',
    names: ['DeviceStatus', 'AutoStartMeasure', 'mStartMeasure'],
    steps: [
      start,
      soon(reads('DeviceStatus', { not: { is: 4 } }), startTime),
      write('AutoStartMeasure', false),
      pause(1),
      reads('DeviceStatus', { not: { is: 4 } }),
    ],
  },
];

/** A wall that fills the field. */
const wall: Thing = { name: 'wall', x: 3, y: 0, size: [0.5, 4] };

const failing = {
  level: 'should',
  stage: 'core',
  place: decided,
  names: ['DeviceStatus', 'SCdevicestate', 'FieldEvaluationResult'],
  cleanup: [...recovered, formerScene],
} as const;

/** A scanner that measures, in normal operation: a field in which a wall is uses the scans. */
const works: readonly Step[] = [
  ...inRoom(wall),
  define([field()]),
  becomes('INFRINGED'),
  comesTo('DeviceStatus', 3, 2),
  comesTo('SCdevicestate', 1),
  pause(1),
];

/** s within which the scanner notices: three revolutions of 67 ms, and a margin. */
const noticed = 1;

/** Faults of a core, and what they are in words. */
const coreFaults: readonly (readonly [id: string, what: string, PlannedFault])[] = [
  ['stall', 'passes no scan for three revolutions', { kind: 'core-stall' }],
  ['time-back', 'states times that go back', { kind: 'core-time', by: -300 }],
  ['time-ahead', 'states times that are more than a revolution ahead', { kind: 'core-time', by: 60_000 }],
  ['number-back', 'states a number twice', { kind: 'core-number', by: -1, every: 2 }],
];

const coreCases = coreFaults.flatMap(([id, what, planned]): ConformanceCase[] => [
  {
    ...failing,
    id: `state.core-${id}`,
    clause: `If the measuring core ${what}, DeviceStatus is 7.`,
    steps: [...works, ...fault(planned), comesTo('DeviceStatus', 7, noticed)],
  },
  {
    ...failing,
    id: `state.core-${id}-ends`,
    clause: `A scanner whose measuring core has failed and works again is in normal operation. Failure: it ${what}.`,
    steps: [
      ...works,
      ...fault(planned),
      comesTo('DeviceStatus', 7, noticed),
      endFaults,
      comesTo('DeviceStatus', 3, 2),
      becomes('INFRINGED', 1, 2),
    ],
  },
]);

const stalled: readonly ConformanceCase[] = [
  {
    ...failing,
    id: 'state.stalled-not-ready',
    clause: 'While the measuring core is silent, SCdevicestate is 2.',
    steps: [...works, ...fault({ kind: 'core-stall' }), comesTo('SCdevicestate', 2, noticed)],
  },
  {
    ...failing,
    id: 'state.stalled-fields',
    clause:
      'While the measuring core is silent, fields are INACTIVE: never FREE, and not infringed any more.',
    steps: [
      ...works,
      ...fault({ kind: 'core-stall' }),
      becomes('INACTIVE', 1, noticed),
      pause(1),
      state('INACTIVE'),
    ],
  },
  {
    ...failing,
    id: 'state.stalled-unused',
    clause:
      'A measuring core that was silent recovers, though nothing uses its scans any more: DeviceStatus is 3.',
    steps: [
      ...works,
      ...fault({ kind: 'core-stall' }),
      comesTo('DeviceStatus', 7, noticed),
      define([], []),
      pause(1),
      reads('DeviceStatus', { is: 7 }),
      endFaults,
      comesTo('DeviceStatus', 3, 2),
    ],
  },
  {
    ...failing,
    id: 'state.stalled-briefly',
    clause: 'One scan that does not come is no failure: DeviceStatus stays 3, and fields stay as they are.',
    steps: [
      ...works,
      ...fault({ kind: 'core-stall', first: 1 }),
      ...Array.from({ length: 12 }, () => [
        reads('DeviceStatus', { is: 3 }),
        state('INFRINGED'),
        pause(0.03),
      ]).flat(),
    ],
  },
  {
    ...failing,
    id: 'state.stalled-stopped',
    clause: 'A core that passes nothing while the scanner is stopped has not failed: DeviceStatus stays 4.',
    names: [...failing.names, 'mStopMeasure'],
    steps: [
      ...works,
      stop,
      comesTo('DeviceStatus', 4, 2),
      ...fault({ kind: 'core-stall' }),
      pause(1),
      reads('DeviceStatus', { is: 4 }),
    ],
    cleanup: [endFaults, start, ...recovered, formerScene],
  },
  {
    ...failing,
    id: 'state.stalled-not-stopped',
    clause:
      'A failure of the core is graver than stopped measuring: DeviceStatus stays 7 when the scanner is stopped meanwhile.',
    names: [...failing.names, 'mStopMeasure'],
    steps: [
      ...works,
      ...fault({ kind: 'core-stall' }),
      comesTo('DeviceStatus', 7, noticed),
      stop,
      pause(0.3),
      reads('DeviceStatus', { is: 7 }),
    ],
    cleanup: [endFaults, start, ...recovered, formerScene],
  },
  {
    ...failing,
    id: 'state.still-answers',
    clause: 'A scanner whose measuring core fails goes on to answer: reads, writes and logins.',
    names: [...failing.names, 'LocationName'],
    steps: [
      ...works,
      ...fault({ kind: 'core-stall' }),
      comesTo('DeviceStatus', 7, noticed),
      write('LocationName', 'core failed'),
      reads('LocationName', { is: 'core failed' }),
    ],
  },
];

/** Distances that no measurement can have. */
const impossible = [
  ['nan', 'that is no number'],
  ['negative', 'below zero'],
  ['infinite', 'that is infinite'],
  ['far', 'that telegrams cannot state'],
] as const;

const invalid: readonly ConformanceCase[] = [
  ...impossible.flatMap(([value, what]): ConformanceCase[] => [
    {
      ...failing,
      id: `state.invalid-${value}`,
      clause: `With the third scan in succession that has a distance ${what}, DeviceStatus is 7.`,
      steps: [...works, ...fault({ kind: 'scan-invalid', value }), comesTo('DeviceStatus', 7, noticed)],
    },
    {
      ...failing,
      id: `state.invalid-${value}-field`,
      clause: `A beam with a distance ${what} never makes a field FREE: a field whose beams all have one is INACTIVE.`,
      steps: [
        ...works,
        ...fault({ kind: 'scan-invalid', value, from: -60, to: 60 }),
        becomes('INACTIVE', 1, noticed),
        pause(0.5),
        state('INACTIVE'),
        endFaults,
        becomes('INFRINGED', 1, noticed),
      ],
    },
  ]),
  {
    ...failing,
    id: 'state.invalid-not-free',
    clause:
      'A field that was empty when its beams became invalid is INACTIVE too: nobody knows whether it is free.',
    steps: [
      ...inRoom({ ...wall, x: 6 }),
      define([field()]),
      becomes('FREE'),
      ...fault({ kind: 'scan-invalid', value: 'nan', from: -5, to: 5 }),
      becomes('INACTIVE', 1, noticed),
      endFaults,
      becomes('FREE', 1, noticed),
    ],
  },
  {
    ...failing,
    id: 'state.invalid-twice',
    clause: 'Two scans with impossible values are no failure: DeviceStatus stays 3.',
    steps: [
      ...works,
      ...fault({ kind: 'scan-invalid', value: 'nan', first: 2 }),
      ...Array.from({ length: 10 }, () => [reads('DeviceStatus', { is: 3 }), pause(0.04)]).flat(),
    ],
  },
  {
    ...failing,
    id: 'state.invalid-elsewhere',
    clause: 'A field that no invalid beam crosses goes on.',
    steps: [
      ...works,
      ...fault({ kind: 'scan-invalid', value: 'nan', from: 90, to: 100 }),
      comesTo('DeviceStatus', 7, noticed),
      state('INFRINGED'),
      isActive,
    ],
  },
  {
    ...failing,
    id: 'state.invalid-object',
    clause: 'A field with invalid beams stays infringed if its other beams show an object.',
    steps: [
      ...works,
      ...fault({ kind: 'scan-invalid', value: 'nan', from: -2, to: 2 }),
      comesTo('DeviceStatus', 7, noticed),
      state('INFRINGED'),
    ],
  },
  {
    ...failing,
    id: 'state.invalid-ends',
    clause: 'DeviceStatus is 3 again with the first scan whose beams are all valid.',
    steps: [
      ...works,
      ...fault({ kind: 'scan-invalid', value: 'nan' }),
      comesTo('DeviceStatus', 7, noticed),
      endFaults,
      comesTo('DeviceStatus', 3, noticed),
    ],
  },
];

const hardware: readonly ConformanceCase[] = [
  {
    ...failing,
    id: 'state.hardware-not-ready',
    clause: 'While a member of the hardware fails, SCdevicestate is 2; it is 1 again when it works.',
    place: 'Azimuth: hardware',
    names: ['SCdevicestate'],
    steps: [
      comesTo('SCdevicestate', 1),
      ...fault({ kind: 'hardware-fails', member: 'temperature' }),
      // Releases without a temperature alarm read the thermometer only when a client does.
      reads('CurrentTempDev', { present: true }),
      comesTo('SCdevicestate', 2, 3),
      endFaults,
      reads('CurrentTempDev', { present: true }),
      comesTo('SCdevicestate', 1, 3),
    ],
    cleanup: [endFaults],
  },
  {
    ...failing,
    id: 'state.find-me-fails',
    clause: 'FindMe works without the help of the hardware: it answers status 0, and DeviceStatus is 7.',
    place: 'Azimuth: hardware',
    names: ['FindMe', 'DeviceStatus'],
    steps: [
      comesTo('DeviceStatus', 3, 2),
      ...fault({ kind: 'hardware-fails', member: 'findMe' }),
      call('FindMe', { uiDuration: 1 }),
      comesTo('DeviceStatus', 7),
      endFaults,
      pause(1),
      call('FindMe', { uiDuration: 1 }),
      comesTo('DeviceStatus', 3, 2),
    ],
    cleanup: [endFaults],
  },
  {
    ...failing,
    id: 'state.gravest',
    clause:
      'If several conditions apply, DeviceStatus is the gravest: a recoverable error (7) before service required (6).',
    place: 'Azimuth: status',
    steps: [
      ...works,
      ...fault({ kind: 'device-status', status: 6 }),
      comesTo('DeviceStatus', 6),
      ...fault({ kind: 'core-stall' }),
      comesTo('DeviceStatus', 7, noticed),
      endFaults,
      comesTo('DeviceStatus', 3, 2),
    ],
  },
  {
    ...failing,
    id: 'state.encoder-fails',
    clause: 'If the hardware does not tell its encoder, DeviceStatus is 7 until it does.',
    place: 'Azimuth: hardware',
    names: ['DeviceStatus', 'EncSetting'],
    steps: [
      control('encoder', { speed: 100 }),
      write('EncSetting', 2),
      comesTo('DeviceStatus', 3, 2),
      ...fault({ kind: 'hardware-fails', member: 'encoder' }),
      comesTo('DeviceStatus', 7, 3),
      endFaults,
      comesTo('DeviceStatus', 3, 3),
    ],
    cleanup: [endFaults, control('encoder', { speed: null })],
  },
];

/** DeviceStatus and SCdevicestate: measuring on and off, and failures of the core and the hardware. */
export const stateArea: Area = {
  name: 'state',
  title: 'State of the device, and failures',
  cases: () => [...measuring, ...coreCases, ...stalled, ...invalid, ...hardware],
};
