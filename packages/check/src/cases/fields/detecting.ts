import type { Json } from '../../match/matcher.js';
import { call, pause, type Step } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { inRoom, move } from '../outside/control-steps.js';
import { reads, remembers } from '../value-steps.js';
import { becomes, define, field, group, result, state } from './field-steps.js';
import { enter, inside, leave, outside, seen, settled, watched } from './watched-field.js';

const decided = 'Azimuth: fields';

/** A square to the left of the scanner. */
const beside: Json = [
  { x: -1000, y: 2000 },
  { x: 1000, y: 2000 },
  { x: 1000, y: 4000 },
  { x: -1000, y: 4000 },
];
const enterBeside = move('thing', 0, 3);

function activateFirst(Activate: boolean): Step {
  return call('ActivateEvaluationGroup', { List: [{ GroupId: 1, Activate }] });
}

/** A point within 120 mm, which is more than two beams are apart. */
function around(x: number, y: number) {
  return { has: { x: { from: x - 120, to: x + 120 }, y: { from: y - 120, to: y + 120 } } } as const;
}

const timestamp = remembers('FieldEvaluationResult', 'timestamp', 'Timestamp');

/** Expects that the time of the last infringement is later by this many ms. */
function timestampLater(from: number, to: number): Step {
  return reads('FieldEvaluationResult', { has: { Timestamp: { minusSaved: 'timestamp', from, to } } });
}

/** When fields become infringed and free, and where. */
export const detectingCases: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'field.free',
    clause: 'A field in which nothing is has the state 2, FREE.',
    steps: [...watched(outside), settled, state('FREE')],
  },
  {
    ...seen,
    id: 'field.enters',
    clause: 'A field becomes INFRINGED when an object enters it, within its response time.',
    steps: [...watched(outside), settled, enter, becomes('INFRINGED')],
  },
  {
    ...seen,
    id: 'field.leaves',
    clause: 'A field becomes FREE when the object leaves it, within its response time.',
    steps: [...watched(inside), becomes('INFRINGED'), leave, becomes('FREE')],
  },
  {
    ...seen,
    id: 'field.detecting-infringed',
    clause: 'Until the object has been in the field for its time, the state is 3, DETECTING_INFRINGED.',
    steps: [
      ...watched(outside, { TimeForInfringedState: 2000 }),
      settled,
      enter,
      pause(1),
      state('DETECTING_INFRINGED'),
      becomes('INFRINGED', 1, 2),
    ],
  },
  {
    ...seen,
    id: 'field.detecting-free',
    clause: 'Until the field has been empty for its time, the state is 5, DETECTING_FREE.',
    steps: [
      ...watched(inside, { TimeForFreeState: 2000 }),
      becomes('INFRINGED'),
      leave,
      pause(1),
      state('DETECTING_FREE'),
      becomes('FREE', 1, 2),
    ],
  },
  {
    ...seen,
    id: 'field.leaves-in-time',
    clause: 'A field that the object leaves before the time for INFRINGED is FREE at once.',
    steps: [
      ...watched(outside, { TimeForInfringedState: 2000 }),
      settled,
      enter,
      becomes('DETECTING_INFRINGED'),
      leave,
      becomes('FREE'),
      pause(2),
      state('FREE'),
    ],
  },
  {
    ...seen,
    id: 'field.comes-back-in-time',
    clause: 'A field that the object enters again before the time for FREE is INFRINGED at once.',
    steps: [
      ...watched(inside, { TimeForFreeState: 2000 }),
      becomes('INFRINGED'),
      leave,
      becomes('DETECTING_FREE'),
      enter,
      becomes('INFRINGED'),
    ],
  },
  {
    ...seen,
    id: 'field.position',
    clause:
      'Positions of an infringed field has the nearest point of the object, in mm: x ahead, y to the left.',
    steps: [
      ...watched({ ...inside, y: 0.6 }),
      becomes('INFRINGED'),
      result(1, { has: { Positions: { items: around(2750, 400), atLeast: 1 } } }),
    ],
  },
  {
    ...seen,
    id: 'field.nearest-position',
    clause: 'Of several objects in a field, Positions has the nearest one.',
    place: decided,
    level: 'should',
    steps: [
      ...inRoom({ ...inside, x: 3.6, y: 0.6 }, { ...inside, name: 'near', x: 2.5, y: -0.5 }),
      define([field()]),
      becomes('INFRINGED'),
      result(1, { has: { Positions: { items: around(2250, -300), atLeast: 1 } } }),
    ],
  },
  {
    ...seen,
    id: 'field.free-position',
    clause: 'A field that is not infringed has no position.',
    place: decided,
    level: 'should',
    steps: [
      ...watched(inside),
      becomes('INFRINGED'),
      leave,
      becomes('FREE'),
      result(1, { has: { Positions: { is: [] } } }),
    ],
  },
  {
    ...seen,
    id: 'field.timestamp',
    clause: 'Timestamp is the time of the last infringement, in ms: it goes on while a field is infringed.',
    steps: [...watched(inside), becomes('INFRINGED'), timestamp, pause(2), timestampLater(1500, 2500)],
  },
  {
    ...seen,
    id: 'field.timestamp-free',
    clause: 'Timestamp stays while no field is infringed.',
    steps: [
      ...watched(inside),
      becomes('INFRINGED'),
      leave,
      becomes('FREE'),
      timestamp,
      pause(1),
      timestampLater(0, 0),
    ],
  },
  {
    ...seen,
    id: 'field.only-its-own',
    clause: 'Each field has a state of its own: an object in one field infringes no other.',
    steps: [
      ...inRoom(inside),
      define([field(1), field(48, { Points: beside })], [group(1, [1, 48])]),
      becomes('INFRINGED'),
      settled,
      state('FREE', 48),
      enterBeside,
      becomes('INFRINGED', 48),
      becomes('FREE'),
    ],
  },
  {
    ...seen,
    id: 'field.contour-takes-effect',
    clause: 'A contour that SetFieldEvaluationContour sets takes effect at once.',
    names: ['SetFieldEvaluationContour'],
    steps: [
      ...watched(inside),
      becomes('INFRINGED'),
      call('SetFieldEvaluationContour', { EvaluationId: 1, Points: beside, LowerZLimit: 0, UpperZLimit: 0 }),
      settled,
      state('FREE'),
      enterBeside,
      becomes('INFRINGED'),
    ],
  },
  {
    ...seen,
    id: 'field.activated',
    clause:
      'A field is evaluated as soon as ActivateEvaluationGroup switches its group on, and INACTIVE when it is off.',
    names: ['ActivateEvaluationGroup'],
    steps: [
      ...inRoom(inside),
      define([field()], [group(1, [1], { Type: 3 })]),
      settled,
      state('INACTIVE'),
      activateFirst(true),
      becomes('INFRINGED'),
      activateFirst(false),
      state('INACTIVE'),
    ],
  },
];
