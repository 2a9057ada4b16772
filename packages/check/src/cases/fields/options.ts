import type { Json } from '../../match/matcher.js';
import { call, pause, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { inNothing, inRoom, move } from '../outside/control-steps.js';
import { allLow, configure, level, lowAgain } from '../outside/port-steps.js';
import { soon } from '../value-steps.js';
import { becomes, define, field, group, groupState, isActive, state } from './field-steps.js';
import { enter, inside, leave, outside, seen, settled, watched } from './watched-field.js';

const decided = 'Azimuth: fields';

/** A band around the front of a wide thing that stands in the middle of the square. */
const band: Json = [
  { x: 2600, y: -1000 },
  { x: 2900, y: -1000 },
  { x: 2900, y: 1000 },
  { x: 2600, y: 1000 },
];

const options: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'field.smaller-object',
    clause: 'An object that is smaller than the minimum object size does not infringe a field.',
    steps: [...watched(inside, { MinimumObjectSize: 800 }), pause(1), state('FREE')],
  },
  {
    ...seen,
    id: 'field.larger-object',
    clause: 'An object that is larger than the minimum object size infringes a field.',
    steps: [...watched(inside, { MinimumObjectSize: 400 }), becomes('INFRINGED')],
  },
  {
    ...seen,
    id: 'field.threshold',
    clause: 'An object that fewer beams hit than the threshold says does not infringe a field.',
    place: decided,
    level: 'should',
    steps: [
      write('PerformanceProfileNumber', 2),
      // At 2.75 m, a thing of 0.5 m is seen by about 31 beams of 0.33°.
      ...watched(inside, { InfringementThreshold: 45 }),
      pause(1),
      state('FREE'),
      define([field(1, { InfringementThreshold: 20 })]),
      becomes('INFRINGED'),
    ],
  },
  {
    ...seen,
    id: 'field.missing',
    clause: 'Beams without an echo do not infringe a field, unless missing data is treated as infringed.',
    place: decided,
    level: 'should',
    steps: [
      ...inNothing,
      define([field(1), field(2, { TreatMissingDataAsInfringed: true })], [group(1, [1, 2])]),
      becomes('INFRINGED', 2),
      state('FREE', 1),
    ],
  },
  {
    ...seen,
    id: 'field.occluded',
    clause:
      'A field that something in front of it hides is infringed, if occlusion counts, and free otherwise.',
    place: decided,
    level: 'should',
    steps: [
      ...inRoom({ ...inside, x: 1, size: [0.3, 1] }),
      define([field(1), field(2, { OcclusionHandling: 1 })], [group(1, [1, 2])]),
      becomes('INFRINGED', 2),
      state('FREE', 1),
    ],
  },
  {
    ...seen,
    id: 'field.reflectors-only',
    clause: 'A field that reacts to reflectors only is infringed by a reflector, and by nothing else.',
    place: decided,
    level: 'should',
    steps: [
      ...inRoom(inside, { ...outside, name: 'reflector', material: 'reflector' }),
      define([field(1, { ReflectorsOnly: true })]),
      pause(1),
      state('FREE'),
      move('reflector', 2.4, 0),
      becomes('INFRINGED'),
    ],
  },
  {
    ...seen,
    id: 'field.reference',
    clause: 'A contour as reference is infringed when the thing in it is gone.',
    steps: [
      ...watched({ ...inside, size: [0.5, 6] }, { ContourAsReference: true, Points: band }),
      settled,
      state('FREE'),
      leave,
      becomes('INFRINGED'),
    ],
  },
  ...distanceDependent(),
];

/**
 * The example of the guide: things of 60 mm and 250 mm beside each other, 450 mm apart in depth, and a minimum object size of
 * 300 mm.
 */
function distanceDependent(): readonly ConformanceCase[] {
  const cases = [
    [
      'off',
      0,
      'INFRINGED',
      'Without a distance threshold, things beside each other are one object, whatever lies between them.',
    ],
    [
      '300',
      300,
      'FREE',
      'Things that are further apart in depth than the distance threshold are judged apart.',
    ],
    [
      '500',
      500,
      'INFRINGED',
      'Things that are nearer to each other in depth than the distance threshold are one object.',
    ],
  ] as const;
  return cases.map(([name, ObjectDistanceThreshold, expected, clause]) => ({
    ...seen,
    id: `field.apart-${name}`,
    clause,
    steps: [
      ...inRoom(
        { name: 'narrow', x: 2.5, y: 0.0, size: [0.02, 0.06] },
        { name: 'wide', x: 2.95, y: -0.15, size: [0.02, 0.25] },
      ),
      define([field(1, { MinimumObjectSize: 300, ObjectDistanceThreshold })]),
      pause(1),
      state(expected),
    ],
  }));
}

const filtered: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'field.distance-filter',
    clause: 'The distance filter acts before the fields: what it removes infringes none.',
    place: decided,
    level: 'should',
    names: ['LFPradialDistanceRangeFilter'],
    steps: [
      ...watched(inside),
      becomes('INFRINGED'),
      write('LFPradialDistanceRangeFilter', { bEnable: true, ulDistMin: 0, ulDistMax: 2000 }),
      becomes('FREE'),
    ],
  },
  {
    ...seen,
    id: 'field.measuring-stops',
    clause: 'An infringed field is INACTIVE while nothing is measured, and INFRINGED again afterwards.',
    place: decided,
    level: 'should',
    names: ['mStopMeasure', 'mStartMeasure'],
    steps: [
      ...watched(inside),
      becomes('INFRINGED'),
      call('mStopMeasure', undefined),
      becomes('INACTIVE'),
      pause(1),
      state('INACTIVE'),
      call('mStartMeasure', undefined),
      becomes('INFRINGED', 1, 3),
    ],
    cleanup: [call('mStartMeasure', undefined), ...seen.cleanup],
  },
];

const taught: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'field.teach-in',
    clause:
      'Teach-in takes the surroundings as the field: it is free, and infringed when something comes into them.',
    names: ['StartTeachIn', 'StopTeachIn'],
    changes: ['x/fields'],
    steps: [
      ...inRoom({ ...outside, x: -20 }),
      define([field(1, { Points: [] })]),
      call('StartTeachIn', undefined),
      pause(1),
      call('StopTeachIn', undefined),
      settled,
      state('FREE'),
      enter,
      becomes('INFRINGED'),
    ],
  },
  {
    ...seen,
    id: 'field.teach-in-creates',
    clause: 'Teach-in creates a field if there is none without a contour.',
    place: decided,
    level: 'should',
    names: ['StartTeachIn', 'StopTeachIn'],
    steps: [
      ...inRoom(outside),
      define([], []),
      call('StartTeachIn', undefined),
      pause(1),
      call('StopTeachIn', undefined),
      becomes('FREE'),
    ],
  },
  {
    ...seen,
    id: 'field.teach-in-of-nothing',
    clause: 'StopTeachIn answers status 2 if nothing was seen, and makes no field.',
    place: decided,
    level: 'should',
    names: ['StartTeachIn', 'StopTeachIn'],
    steps: [
      ...inNothing,
      define([], []),
      call('StartTeachIn', undefined),
      pause(1),
      call('StopTeachIn', undefined, { status: 2 }),
      state('NOT_CONFIGURED'),
    ],
  },
];

const byInput: ConformanceCase = {
  ...seen,
  id: 'field.group-by-input',
  clause: 'A group of the activation INPUTS is active while all of its inputs are as it says.',
  names: ['FieldEvaluationGroupState', 'PortConfiguration'],
  cleanup: lowAgain,
  steps: [
    ...allLow,
    configure({}),
    define(
      [field()],
      [
        group(1, [1], { Type: 2, Inputs: [1, 2, 2, 2, 2, 2, 2, 2] }),
        group(2, [1], { Type: 2, Inputs: [1, 0, 2, 2, 2, 2, 2, 2] }),
      ],
    ),
    groupState(1, 2),
    level(1, true),
    soon(groupState(1, 1)),
    isActive,
    groupState(2, 1),
    level(2, true),
    soon(groupState(2, 2)),
    groupState(1, 1),
  ],
};

/** Options of fields, filters, teach-in and inputs. */
export const optionCases: readonly ConformanceCase[] = [...options, ...filtered, ...taught, byInput];
