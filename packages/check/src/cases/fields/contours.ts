import type { Json } from '../../match/matcher.js';
import { call, get, type RequestStep } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { numbered } from '../value-steps.js';
import { bowTie, define, field, group } from './field-steps.js';

const guide = 'guide: Field evaluation';
const decided = 'Azimuth: fields';

const written = { level: 'must', stage: 'write', place: guide } as const;

/** Expects that a contour is set, or the error code. Further points come from the case. */
function setContour(Points: Json, code: number, members: Readonly<Record<string, Json>> = {}): RequestStep {
  return call(
    'SetFieldEvaluationContour',
    { EvaluationId: 1, Points, LowerZLimit: 0, UpperZLimit: 0, ...members },
    { status: 0, data: { has: { ErrorCode: { is: code } } } },
  );
}

function readContour(EvaluationId: number): RequestStep {
  return call('GetFieldEvaluationContour', { EvaluationId });
}

const triangle: Json = [
  { x: 1000, y: 0 },
  { x: 2000, y: 500 },
  { x: 2000, y: -500 },
];

const dent: Json = [
  { x: 1000, y: -1000 },
  { x: 3000, y: -1000 },
  { x: 1500, y: 0 },
  { x: 3000, y: 1000 },
  { x: 1000, y: 1000 },
];

/** Corners on a circle of 2 m. */
function corners(count: number): Json {
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count;
    // JSON has no -0.
    const millimetres = (share: number) => Math.round(2000 * share) + 0;
    return { x: millimetres(Math.cos(angle)), y: millimetres(Math.sin(angle)) };
  });
}

/** Contours that are set and read. */
export const contourCases: readonly ConformanceCase[] = [
  {
    ...written,
    id: 'field.contour',
    clause:
      'GetFieldEvaluationContour returns the contour that SetFieldEvaluationContour has set, with heights of 0.',
    names: ['SetFieldEvaluationContour'],
    steps: [
      define([field()]),
      setContour(triangle, 0),
      call(
        'GetFieldEvaluationContour',
        { EvaluationId: 1 },
        {
          status: 0,
          data: {
            has: {
              Contour: {
                is: [{ EvaluationId: 1, Points: triangle, LowerZLimit: 0, UpperZLimit: 0 }],
              },
            },
          },
        },
      ),
    ],
  },
  {
    ...written,
    id: 'field.contour-of-another',
    clause: 'SetFieldEvaluationContour changes the evaluation of its number, and no other one.',
    names: ['SetFieldEvaluationContour'],
    steps: [
      define([field(1), field(2)], [group(1, [1, 2])]),
      setContour(triangle, 0, { EvaluationId: 2 }),
      get('/x/fields', {
        data: {
          has: {
            fields: { has: { evaluations: numbered(1, { has: { Points: { not: { is: triangle } } } }) } },
          },
        },
      }),
      get('/x/fields', {
        data: {
          has: { fields: { has: { evaluations: numbered(2, { has: { Points: { is: triangle } } }) } } },
        },
      }),
    ],
  },
  {
    ...written,
    id: 'field.contour-of-nothing',
    clause: 'SetFieldEvaluationContour answers ErrorCode 1 if there is no such evaluation.',
    names: ['SetFieldEvaluationContour'],
    steps: [define([field()]), setContour(triangle, 1, { EvaluationId: 2 })],
  },
  {
    ...written,
    id: 'field.contour-of-nothing-read',
    clause: 'GetFieldEvaluationContour returns no contour if there is no such evaluation.',
    names: ['GetFieldEvaluationContour'],
    level: 'should',
    place: decided,
    steps: [
      define([field()]),
      { ...readContour(2), expect: { status: 0, data: { has: { Contour: { is: [] } } } } },
    ],
  },
  {
    ...written,
    id: 'field.contour-100-corners',
    clause: 'A contour may have up to 100 corners.',
    names: ['SetFieldEvaluationContour'],
    steps: [define([field()]), setContour(corners(100), 0)],
  },
  {
    ...written,
    id: 'field.contour-101-corners',
    clause: 'A contour with more than 100 corners is refused with status 7.',
    names: ['SetFieldEvaluationContour'],
    steps: [define([field()]), { ...setContour(corners(101), 0), expect: { status: 7 } }],
  },
  {
    ...written,
    id: 'field.contour-2-corners',
    clause: 'A contour has at least 3 corners: 2 are refused with ErrorCode 2, or status 7.',
    names: ['SetFieldEvaluationContour'],
    steps: [
      define([field()]),
      {
        ...setContour(
          [
            { x: 1000, y: 0 },
            { x: 2000, y: 500 },
          ],
          2,
        ),
        expect: { body: { any: [{ has: { header: { has: { status: { is: 7 } } } } }, refused(2)] } },
      },
    ],
  },
  {
    ...written,
    id: 'field.contour-crossing',
    clause: 'SetFieldEvaluationContour answers ErrorCode 2 for sides that cross.',
    names: ['SetFieldEvaluationContour'],
    steps: [define([field()]), setContour(bowTie, 2)],
  },
  {
    ...written,
    id: 'field.contour-on-a-line',
    clause: 'SetFieldEvaluationContour answers ErrorCode 2 if all corners are on one line.',
    names: ['SetFieldEvaluationContour'],
    level: 'should',
    place: decided,
    steps: [
      define([field()]),
      setContour(
        [
          { x: 1000, y: 0 },
          { x: 2000, y: 0 },
          { x: 3000, y: 0 },
        ],
        2,
      ),
    ],
  },
  {
    ...written,
    id: 'field.contour-corner-twice',
    clause: 'SetFieldEvaluationContour answers ErrorCode 2 if two corners in succession are the same.',
    names: ['SetFieldEvaluationContour'],
    level: 'should',
    place: decided,
    steps: [
      define([field()]),
      setContour(
        [
          { x: 1000, y: 0 },
          { x: 2000, y: 500 },
          { x: 2000, y: 500 },
          { x: 2000, y: -500 },
        ],
        2,
      ),
    ],
  },
  {
    ...written,
    id: 'field.contour-concave',
    clause: 'A contour may be concave.',
    names: ['SetFieldEvaluationContour'],
    level: 'should',
    place: decided,
    steps: [define([field()]), setContour(dent, 0)],
  },
  {
    ...written,
    id: 'field.contour-heights',
    clause: 'SetFieldEvaluationContour answers ErrorCode 3 for a limit of height other than 0.',
    names: ['SetFieldEvaluationContour'],
    steps: [define([field()]), setContour(triangle, 3, { UpperZLimit: 100 })],
  },
  {
    ...written,
    id: 'field.contour-lower-height',
    clause: 'SetFieldEvaluationContour answers ErrorCode 3 for a lower limit of height other than 0, too.',
    names: ['SetFieldEvaluationContour'],
    steps: [define([field()]), setContour(triangle, 3, { LowerZLimit: -100 })],
  },
  {
    ...written,
    id: 'field.contour-refused',
    clause: 'A contour that is refused leaves the contour as it was.',
    names: ['SetFieldEvaluationContour'],
    steps: [
      define([field(1, { Points: triangle })]),
      setContour(bowTie, 2),
      {
        ...readContour(1),
        expect: {
          data: { has: { Contour: { items: { has: { Points: { is: triangle } } }, atLeast: 1 } } },
        },
      },
    ],
  },
  {
    ...written,
    id: 'field.contour-far',
    clause: 'Corners are at most 120 m away in x and y: 120001 mm is refused with status 6, or ErrorCode 2.',
    names: ['SetFieldEvaluationContour'],
    steps: [
      define([field()]),
      setContour(
        [
          { x: 1000, y: 0 },
          { x: 120_000, y: 500 },
          { x: 2000, y: -120_000 },
        ],
        0,
      ),
      {
        ...setContour(
          [
            { x: 1000, y: 0 },
            { x: 120_001, y: 500 },
            { x: 2000, y: -500 },
          ],
          2,
        ),
        expect: { body: { any: [{ has: { header: { has: { status: { is: 6 } } } } }, refused(2)] } },
      },
    ],
  },
];

function refused(code: number) {
  return { has: { data: { has: { ErrorCode: { is: code } } } } } as const;
}
