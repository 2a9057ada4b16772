import { pause, post } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { reads } from '../value-steps.js';
import {
  activate,
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

const states: readonly ConformanceCase[] = [
  {
    ...written,
    id: 'field.not-configured',
    clause: 'An evaluation that is not defined has the state 0, NOT_CONFIGURED.',
    names: ['FieldEvaluationResult'],
    steps: [define([field()]), state('NOT_CONFIGURED', 2)],
  },
  {
    ...written,
    id: 'field.without-group',
    clause: 'A field that is in no active group has the state 1, INACTIVE.',
    names: ['FieldEvaluationResult'],
    steps: [define([field()], []), state('INACTIVE')],
  },
  {
    ...written,
    id: 'field.without-contour',
    clause: 'A field without a contour has the state 1, INACTIVE.',
    names: ['FieldEvaluationResult'],
    level: 'should',
    place: decided,
    steps: [define([field(1, { Points: [] })]), pause(0.5), state('INACTIVE')],
  },
  {
    ...written,
    id: 'field.group-not-configured',
    clause: 'A group that is not defined has the state 0.',
    names: ['FieldEvaluationGroupState'],
    steps: [define([field()]), groupState(2, 0)],
  },
  {
    ...written,
    id: 'field.group-always',
    clause: 'A group that is always active has the state 1.',
    names: ['FieldEvaluationGroupState'],
    steps: [define([field()], [group(1, [1], { Type: 1 })]), groupState(1, 1)],
  },
  {
    ...written,
    id: 'field.group-deactivated',
    clause: 'A group that is deactivated has the state 2.',
    names: ['FieldEvaluationGroupState'],
    steps: [define([field()], [group(1, [1], { Type: 0 })]), groupState(1, 2), state('INACTIVE')],
  },
  {
    ...written,
    id: 'field.group-by-telegram',
    clause: 'ActivateEvaluationGroup switches a group of the activation TELEGRAM on and off again.',
    names: ['ActivateEvaluationGroup'],
    steps: [
      define([field()], [group(1, [1], byTelegram)]),
      groupState(1, 2),
      activate([[1, true]]),
      groupState(1, 1),
      activate([[1, false]]),
      groupState(1, 2),
    ],
  },
  {
    ...written,
    id: 'field.group-initially-active',
    clause: 'A group of the activation TELEGRAM that is initially active is active until it is switched off.',
    place: decided,
    level: 'should',
    names: ['ActivateEvaluationGroup'],
    steps: [
      define([field()], [group(1, [1], { Type: 3, InitiallyActive: true })]),
      groupState(1, 1),
      activate([[1, false]]),
      groupState(1, 2),
    ],
  },
  {
    ...written,
    id: 'field.group-always-stays',
    clause:
      'ActivateEvaluationGroup acts on groups of the activation TELEGRAM only: others answer false, and stay.',
    names: ['ActivateEvaluationGroup'],
    steps: [define([field()], [group(1, [1])]), activate([[1, false]], [false]), groupState(1, 1)],
  },
  {
    ...written,
    id: 'field.group-unknown',
    clause: 'ActivateEvaluationGroup answers false for a group that is not defined.',
    names: ['ActivateEvaluationGroup'],
    steps: [define([field()]), activate([[7, true]], [false])],
  },
  {
    ...written,
    id: 'field.groups-together',
    clause: 'ActivateEvaluationGroup switches several groups, and answers each of them in order.',
    names: ['ActivateEvaluationGroup'],
    steps: [
      define([field(1), field(2)], [group(1, [1], byTelegram), group(2, [2]), group(3, [1], byTelegram)]),
      activate(
        [
          [3, true],
          [2, true],
          [1, false],
        ],
        [true, false, true],
      ),
      groupState(1, 2),
      groupState(3, 1),
    ],
  },
  {
    ...written,
    id: 'field.group-0',
    clause: 'Groups are numbered from 1: ActivateEvaluationGroup refuses the group 0 with status 6.',
    names: ['ActivateEvaluationGroup'],
    steps: [{ ...activate([[0, true]]), expect: { status: 6 } }],
  },
  {
    ...written,
    id: 'field.group-48',
    clause: 'ActivateEvaluationGroup accepts the group 48, and refuses the group 49 with status 6.',
    names: ['ActivateEvaluationGroup'],
    steps: [
      define([field()], [group(48, [1], byTelegram)]),
      activate([[48, true]]),
      groupState(48, 1),
      { ...activate([[49, true]]), expect: { status: 6 } },
    ],
  },
  {
    ...written,
    id: 'field.group-type',
    clause: 'EvaluationGroupType is 0 for a group of fields, and 1 for a group of perpendicular distances.',
    names: ['EvaluationGroupType', 'perpendicularDistanceResult'],
    steps: [
      define([field(1), distance(2)], [group(1, [1]), group(2, [2])]),
      reads('EvaluationGroupType', { begins: [{ is: 0 }, { is: 1 }] }),
    ],
  },
  {
    ...written,
    id: 'field.two-groups',
    clause: 'A field is active as long as one of its groups is.',
    place: decided,
    level: 'should',
    names: ['ActivateEvaluationGroup'],
    steps: [
      define([field()], [group(1, [1], byTelegram), group(2, [1], byTelegram)]),
      activate([
        [1, true],
        [2, true],
      ]),
      activate([[1, false]]),
      pause(0.3),
      isActive,
      activate([[2, false]]),
      state('INACTIVE'),
    ],
  },
  {
    ...written,
    id: 'field.definitions-kept',
    clause: 'Writing definitions does not change which groups were switched on by telegram.',
    place: decided,
    level: 'should',
    names: ['ActivateEvaluationGroup'],
    steps: [
      define([field()], [group(1, [1], byTelegram)]),
      activate([[1, true]]),
      define([field(), field(2)], [group(1, [1], byTelegram), group(2, [2])]),
      groupState(1, 1),
    ],
  },
];

const needsLogin: ConformanceCase = {
  ...written,
  id: 'field.activate-without-login',
  clause: 'ActivateEvaluationGroup needs a login: without one it answers status 4, and switches nothing.',
  place: decided,
  level: 'should',
  names: ['ActivateEvaluationGroup'],
  steps: [
    define([field()], [group(1, [1], byTelegram)]),
    post('ActivateEvaluationGroup', { status: 4 }, { data: { List: [{ GroupId: 1, Activate: true }] } }),
    groupState(1, 2),
  ],
};

/** Groups of fields, and what switches them. */
export const groupCases: readonly ConformanceCase[] = [...states, needsLogin];
