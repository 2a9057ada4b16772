import type { Json, Matcher } from '../../match/matcher.js';
import { call, pause, type RequestStep, type Step, until, write } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import {
  endFaults,
  fault,
  formerScene,
  inNothing,
  inRoom,
  move,
  type Thing,
} from '../outside/control-steps.js';
import { reads, remembers, soon } from '../value-steps.js';
import { activate, byTelegram, define, distance, field, group, state } from './field-steps.js';

/** A wall 3 m ahead: its front is at 2.75 m. */
const wall: Thing = { name: 'wall', x: 3, y: 0, size: [0.5, 4] };

const measured = {
  level: 'must',
  stage: 'core',
  place: 'guide: Perpendicular distance',
  names: ['perpendicularDistanceResult'],
  cleanup: [endFaults, formerScene],
} as const;

/** mm by which a distance may be wrong: noise, and the rounding of a scene. */
const tolerance = 30;
const about = (value: number): Matcher => ({ from: value - tolerance, to: value + tolerance });

/** Expects the results of distances. */
function results(evaluations: Matcher): RequestStep {
  return reads('perpendicularDistanceResult', { has: { evaluations } });
}

/** Waits for the first result. */
function measures(matcher: Matcher, within = 0.5): Step {
  return soon(results({ begins: [matcher] }), within);
}

const seenAt = (minimum: number, maximum: number): Matcher => ({
  has: { minimumDistance: about(minimum), maximumDistance: about(maximum) },
});

/** A line along the x axis, seen away from the scanner: what is to the left is positive. */
const ahead: Json = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
];

const timestamp = remembers('perpendicularDistanceResult', 'timestamp', 'timestamp');

function timestampLater(from: number, to: number): RequestStep {
  return reads('perpendicularDistanceResult', {
    has: { timestamp: { minusSaved: 'timestamp', from, to } },
  });
}

const cases: readonly ConformanceCase[] = [
  {
    ...measured,
    id: 'distance.wall',
    clause:
      'A wall that is parallel to the reference line has its distance from it as minimum and maximum, in mm.',
    steps: [...inRoom(wall), define([distance()]), measures(seenAt(2750, 2750))],
  },
  {
    ...measured,
    id: 'distance.id',
    clause: 'Each result has the number of its evaluation.',
    steps: [
      ...inRoom(wall),
      define([distance(7)], [group(1, [7])]),
      measures({ has: { evaluationId: { is: 7 } } }),
    ],
  },
  {
    ...measured,
    id: 'distance.moves',
    clause: 'The distance follows the thing when it moves.',
    steps: [
      ...inRoom(wall),
      define([distance()]),
      measures(seenAt(2750, 2750)),
      move('wall', 2.5, 0),
      measures(seenAt(2250, 2250)),
    ],
  },
  {
    ...measured,
    id: 'distance.left',
    clause: 'Seen from the first point of the line to the second, distances to the left are positive.',
    steps: [
      ...inRoom({ name: 'post', x: 3, y: 0.5, size: [0.4, 0.4] }),
      define([distance(1, { ReferenceLine: ahead })]),
      measures({ has: { minimumDistance: about(300), maximumDistance: { from: 400, to: 730 } } }),
    ],
  },
  {
    ...measured,
    id: 'distance.right',
    clause: 'Seen from the first point of the line to the second, distances to the right are negative.',
    steps: [
      ...inRoom({ name: 'post', x: 3, y: -0.5, size: [0.4, 0.4] }),
      define([distance(1, { ReferenceLine: ahead })]),
      measures({ has: { minimumDistance: { from: -730, to: -400 }, maximumDistance: about(-300) } }),
    ],
  },
  {
    ...measured,
    id: 'distance.line-elsewhere',
    clause: 'Distances are those from the line, wherever it is, and not from the scanner.',
    steps: [
      ...inRoom(wall),
      define([
        distance(1, {
          ReferenceLine: [
            { x: 1000, y: 1000 },
            { x: 1000, y: -1000 },
          ],
        }),
      ]),
      measures(seenAt(1750, 1750)),
    ],
  },
  {
    ...measured,
    id: 'distance.positions',
    clause: 'The result has the positions of both distances, in mm from the scanner, with z = 0.',
    steps: [
      ...inRoom(
        { name: 'near', x: 2.5, y: 0.6, size: [0.2, 0.4] },
        { name: 'far', x: 3.5, y: -0.6, size: [0.2, 0.4] },
      ),
      define([distance()]),
      measures({
        has: {
          minimumDistancePosition: {
            has: { x: about(2400), y: { from: 350, to: 850 }, z: { is: 0 } },
          },
          maximumDistancePosition: {
            has: { x: { from: 3350, to: 3700 }, y: { from: -900, to: -350 }, z: { is: 0 } },
          },
        },
      }),
    ],
  },
  {
    ...measured,
    id: 'distance.several',
    clause: 'Each active evaluation of distances has a result, in the order of their numbers.',
    steps: [
      ...inRoom(wall),
      define([distance(1), distance(2, { ReferenceLine: ahead })], [group(1, [1, 2])]),
      until(
        results({ begins: [{ has: { evaluationId: { is: 1 } } }, { has: { evaluationId: { is: 2 } } }] }),
        0.5,
        0.02,
      ),
    ],
  },
  {
    ...measured,
    id: 'distance.stays',
    clause: 'When the area is free again, the last distance stays in the result.',
    steps: [
      ...inRoom(wall),
      define([distance()]),
      measures(seenAt(2750, 2750)),
      move('wall', 6, 0),
      pause(1),
      results({ begins: [seenAt(2750, 2750)] }),
    ],
  },
  {
    ...measured,
    id: 'distance.timestamp',
    clause:
      'timestamp is the time of the last scan with something in an area: it goes on while something is there.',
    steps: [
      ...inRoom(wall),
      define([distance()]),
      measures({ present: true }),
      timestamp,
      pause(2),
      timestampLater(1500, 2500),
    ],
  },
  {
    ...measured,
    id: 'distance.timestamp-stays',
    clause: 'timestamp stays while the areas are free.',
    steps: [
      ...inRoom(wall),
      define([distance()]),
      measures({ present: true }),
      move('wall', 6, 0),
      pause(0.5),
      timestamp,
      pause(1),
      timestampLater(0, 0),
    ],
  },
  {
    ...measured,
    id: 'distance.nothing-yet',
    clause: 'An evaluation that has seen nothing yet has no result.',
    place: 'Azimuth: fields',
    level: 'should',
    steps: [...inNothing, define([distance()]), pause(0.5), results({ is: [] })],
  },
  {
    ...measured,
    id: 'distance.outside',
    clause: 'What is outside the area does not count.',
    steps: [...inRoom({ ...wall, x: 6 }), define([distance()]), pause(0.5), results({ is: [] })],
  },
  {
    ...measured,
    id: 'distance.inactive',
    clause: 'An evaluation whose groups are inactive has no result.',
    place: 'Azimuth: fields',
    level: 'should',
    steps: [
      ...inRoom(wall),
      define([distance()], [group(1, [1], byTelegram)]),
      pause(0.5),
      results({ is: [] }),
      activate([[1, true]]),
      measures(seenAt(2750, 2750)),
      activate([[1, false]]),
      results({ is: [] }),
    ],
  },
  {
    ...measured,
    id: 'distance.no-field',
    clause:
      'An evaluation of distances is no field: its state is 0, NOT_CONFIGURED, in FieldEvaluationResult.',
    place: 'Azimuth: fields',
    level: 'should',
    steps: [
      ...inRoom(wall),
      define([distance(1), field(2)], [group(1, [1]), group(2, [2])]),
      measures({ has: { evaluationId: { is: 1 } } }),
      state('NOT_CONFIGURED', 1),
      results({ items: { present: true }, atLeast: 1, atMost: 1 }),
    ],
  },
  {
    ...measured,
    id: 'distance.distance-filter',
    clause: 'The distance filter acts before: what it removes has no distance.',
    place: 'guide: Filters',
    names: ['perpendicularDistanceResult', 'LFPradialDistanceRangeFilter'],
    steps: [
      write('LFPradialDistanceRangeFilter', { bEnable: true, ulDistMin: 0, ulDistMax: 2000 }),
      ...inRoom(wall),
      define([distance()]),
      pause(0.5),
      results({ is: [] }),
    ],
  },
  {
    ...measured,
    id: 'distance.rectangle-filter',
    clause: 'The rectangle filter acts before: what it removes has no distance.',
    place: 'guide: Filters',
    names: ['perpendicularDistanceResult', 'LFPcubicareafilter'],
    steps: [
      write('LFPcubicareafilter', {
        ...{ bEnable: true, lXMin: 0, lXMax: 2500, lYMin: -5000, lYMax: 5000, lZMin: -5, lZMax: 5 },
      }),
      ...inRoom(wall),
      define([distance()]),
      pause(0.5),
      results({ is: [] }),
    ],
  },
  {
    ...measured,
    id: 'distance.invalid-beams',
    clause:
      'With beams that have values that no measurement can have in its area, an evaluation has no result.',
    place: 'Azimuth: fields',
    level: 'should',
    steps: [
      ...inRoom(wall),
      define([distance()]),
      measures({ present: true }),
      ...fault({ kind: 'scan-invalid', value: 'nan', from: -3, to: 3 }),
      soon(results({ is: [] }), 0.5),
      endFaults,
      measures(seenAt(2750, 2750)),
    ],
  },
  {
    ...measured,
    id: 'distance.core-stalls',
    clause: 'While no scans come, perpendicular distances have no result.',
    place: 'Azimuth: fields',
    level: 'should',
    steps: [
      ...inRoom(wall),
      define([distance()]),
      measures({ present: true }),
      ...fault({ kind: 'core-stall' }),
      soon(results({ is: [] }), 1),
      endFaults,
      measures(seenAt(2750, 2750)),
    ],
  },
  {
    ...measured,
    id: 'distance.stopped',
    clause: 'While nothing is measured, perpendicular distances have no result.',
    place: 'Azimuth: fields',
    level: 'should',
    steps: [
      ...inRoom(wall),
      define([distance()]),
      measures({ present: true }),
      call('mStopMeasure', undefined),
      soon(results({ is: [] }), 0.5),
    ],
    cleanup: [call('mStartMeasure', undefined), ...measured.cleanup],
  },
];

/** Perpendicular distances. */
export const distanceArea: Area = {
  name: 'distance',
  title: 'Perpendicular distances',
  cases: () => cases,
};
