import { call, pause, type RequestStep } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { comesTo, reads } from '../value-steps.js';
import {
  activate,
  becomes,
  byTelegram,
  define,
  distance,
  field,
  group,
  groupState,
  isActive,
  state,
} from './field-steps.js';

const guide = 'guide: Field evaluation';
const decided = 'Azimuth: fields';

const written = { level: 'must', stage: 'write', place: guide } as const;

/** Expects one item for each of the 48 slots. */
function hasSlots(name: string): RequestStep {
  return reads(name, { items: { from: 0, to: 2 }, atLeast: 48, atMost: 48 });
}

const slots: readonly ConformanceCase[] = [
  {
    id: 'field.results',
    clause:
      'FieldEvaluationResult has one result for each of 48 evaluations, with its state and its positions.',
    place: guide,
    level: 'must',
    stage: 'read',
    names: ['FieldEvaluationResult'],
    steps: [
      reads('FieldEvaluationResult', {
        has: {
          EvaluationResultList: {
            items: { has: { State: { from: 0, to: 5 }, Positions: { items: { present: true }, atMost: 1 } } },
            atLeast: 48,
            atMost: 48,
          },
        },
      }),
    ],
  },
  {
    id: 'field.result-version',
    clause: 'The version of FieldEvaluationResult is 1.',
    place: guide,
    level: 'must',
    stage: 'read',
    names: ['FieldEvaluationResult'],
    steps: [reads('FieldEvaluationResult', { has: { Version: { is: 1 } } })],
  },
  {
    id: 'field.group-states',
    clause: 'FieldEvaluationGroupState has one state for each of 48 groups.',
    place: guide,
    level: 'must',
    stage: 'read',
    names: ['FieldEvaluationGroupState'],
    steps: [hasSlots('FieldEvaluationGroupState')],
  },
  {
    id: 'field.group-types',
    clause: 'EvaluationGroupType has one type for each of 48 groups.',
    place: guide,
    level: 'must',
    stage: 'read',
    names: ['EvaluationGroupType'],
    steps: [hasSlots('EvaluationGroupType')],
  },
];

/** Fields with these numbers, all the same. */
const many = (count: number) => Array.from({ length: count }, (_, index) => field(index + 1));
const all = (count: number) => [
  group(
    1,
    Array.from({ length: count }, (_, index) => index + 1),
  ),
];

const limits: readonly ConformanceCase[] = [
  {
    ...written,
    id: 'field.48-evaluations',
    clause: 'A scanner has up to 48 evaluations, and up to 48 groups.',
    place: 'specification: Limits',
    names: ['FieldEvaluationResult'],
    steps: [
      define(
        many(48),
        Array.from({ length: 48 }, (_, index) => group(index + 1, [], { Type: 0 })),
      ),
      state('INACTIVE', 48),
      groupState(48, 2),
    ],
  },
  {
    ...written,
    id: 'field.49-evaluations',
    clause: 'A 49th evaluation is refused.',
    place: 'specification: Limits',
    names: ['FieldEvaluationResult'],
    steps: [define([...many(48), field(48)], [], 7)],
  },
  {
    ...written,
    id: 'field.20-active',
    clause: 'Up to 20 fields may be active at the same time.',
    place: 'specification: Limits',
    names: ['FieldEvaluationResult'],
    steps: [
      reads('DeviceStatus', { is: 3 }),
      define(many(20), all(20)),
      pause(0.5),
      isActive,
      reads('DeviceStatus', { is: 3 }),
    ],
  },
  {
    ...written,
    id: 'field.21-active',
    clause: 'More than 20 active fields stop the evaluation: all of them are INACTIVE.',
    place: 'specification: Limits',
    releases: { since: '2.1.0' },
    names: ['FieldEvaluationResult'],
    steps: [define(many(21), all(21)), pause(0.5), state('INACTIVE', 1), state('INACTIVE', 21)],
  },
  {
    ...written,
    id: 'field.21-active-not-ready',
    clause: 'While more than 20 fields are active, the scanner is not ready: SCdevicestate is 2.',
    place: 'specification: Limits',
    releases: { since: '2.1.0' },
    names: ['SCdevicestate'],
    steps: [define(many(21), all(21)), comesTo('SCdevicestate', 2)],
  },
  {
    ...written,
    id: 'field.21-active-status',
    clause: 'While more than 20 fields are active, DeviceStatus is 7, RecoverableError.',
    place: 'Azimuth: fields',
    level: 'should',
    releases: { since: '2.1.0' },
    names: ['DeviceStatus'],
    steps: [define(many(21), all(21)), comesTo('DeviceStatus', 7)],
  },
  {
    ...written,
    id: 'field.20-active-again',
    clause: 'When 20 or fewer fields are active again, the evaluation goes on, and the scanner is ready.',
    place: decided,
    level: 'should',
    releases: { since: '2.1.0' },
    names: ['SCdevicestate', 'ActivateEvaluationGroup'],
    steps: [
      define(many(21), [...all(20), group(2, [21], byTelegram)]),
      activate([[2, true]]),
      comesTo('SCdevicestate', 2),
      activate([[2, false]]),
      comesTo('SCdevicestate', 1),
      isActive,
    ],
  },
  {
    ...written,
    id: 'field.21-with-distances',
    clause: 'Perpendicular distances count among the 20 active evaluations.',
    place: decided,
    level: 'should',
    releases: { since: '2.1.0' },
    names: ['SCdevicestate', 'perpendicularDistanceResult'],
    steps: [define([...many(20), distance(21)], [...all(20), group(2, [21])]), comesTo('SCdevicestate', 2)],
  },
  {
    ...written,
    id: 'field.21-without-contour',
    clause: 'Fields without a contour do not count among the 20 active ones.',
    place: decided,
    level: 'should',
    releases: { since: '2.1.0' },
    names: ['DeviceStatus'],
    steps: [
      define([...many(20), field(21, { Points: [] })], all(21)),
      pause(0.5),
      reads('DeviceStatus', { is: 3 }),
    ],
  },
  {
    ...written,
    id: 'field.stopped',
    clause: 'While nothing is measured, fields are INACTIVE. When it is measured again, they start as FREE.',
    place: decided,
    level: 'should',
    names: ['FieldEvaluationResult', 'mStopMeasure', 'mStartMeasure'],
    steps: [
      define([field(1, { MinimumObjectSize: 5000 })]),
      pause(0.5),
      call('mStopMeasure', undefined),
      becomes('INACTIVE'),
      call('mStartMeasure', undefined),
      becomes('FREE'),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  },
];

/** Numbers of fields, and what happens with too many. */
export const limitCases: readonly ConformanceCase[] = [...slots, ...limits];
