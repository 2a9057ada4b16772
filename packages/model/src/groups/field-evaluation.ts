import { mostCorners } from '../contour.js';
import { event, group, method, variable } from '../declaration.js';
import { array } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';
import { offset } from './shared-types.js';

/** Number of fields and evaluations of a scanner, numbered from 1 (specification, Limits). */
export const evaluationSlots = 48;

/** Number of active evaluations above which all of them stop, from this release on (specification, Limits). */
export const mostActiveEvaluations = { count: 20, from: '2.1.0' } as const;

export const FieldState = {
  NOT_CONFIGURED: 0,
  INACTIVE: 1,
  FREE: 2,
  DETECTING_INFRINGED: 3,
  INFRINGED: 4,
  DETECTING_FREE: 5,
} as const;

export const EvaluationGroupState = { NOT_CONFIGURED: 0, ACTIVE: 1, INACTIVE: 2 } as const;
export const EvaluationGroupType = { FIELD_EVALUATION: 0, PERPENDICULAR_DISTANCE: 1 } as const;

export const ContourError = {
  SOPAS_ERR_NO_ERR: 0,
  SOPAS_ERR_INVALID_EVALUATION_ID: 1,
  SOPAS_ERR_INVALID_POLYGON: 2,
  SOPAS_ERR_INVALID_ZLIM: 3,
} as const;

/** Exactly one item for each slot. */
const slots = { minItems: evaluationSlots, maxItems: evaluationSlots };
/** Point of the scan plane, in mm. */
const point = struct({ x: integer('int32'), y: integer('int32') });

/** Outline of a field: a polygon in the scan plane, and its lower and upper height. */
const contour = {
  EvaluationId: integer('uint16'),
  Points: array(point, { maxItems: mostCorners }),
  LowerZLimit: offset(),
  UpperZLimit: offset(),
};

export const fieldEvaluation = group(
  'Field evaluation',
  {
    FieldEvaluationResult: event(
      struct({
        Version: integer('uint16', { initial: 1 }),
        Timestamp: integer('uint64'),
        EvaluationResultList: array(
          struct({
            State: enumeration(FieldState, FieldState.NOT_CONFIGURED),
            Positions: array(point, { maxItems: 1, inTelegrams: 'none' }),
          }),
          { maxItems: evaluationSlots, inTelegrams: 'all' },
        ),
      }),
      {
        unit: 'ms; mm',
        units: { Timestamp: 'ms', x: 'mm', y: 'mm' },
        text: 'State of each evaluation, where its field is infringed, and the time of the last infringement.',
      },
    ),
    FieldEvaluationGroupState: variable(
      array(enumeration(EvaluationGroupState, EvaluationGroupState.NOT_CONFIGURED), slots),
      { text: 'Which groups of evaluations are configured and active.' },
    ),
    EvaluationGroupType: variable(
      array(enumeration(EvaluationGroupType, EvaluationGroupType.FIELD_EVALUATION), slots),
      {
        since: '2.2.0',
        text: 'What each group evaluates: fields or perpendicular distances.',
      },
    ),
    ActivateEvaluationGroup: method({
      level: 'login',
      request: {
        List: array(
          struct({
            GroupId: integer('uint16', { minimum: 1, maximum: evaluationSlots }),
            Activate: boolean(),
          }),
          { maxItems: evaluationSlots },
        ),
      },
      response: { Success: array(boolean(), { maxItems: evaluationSlots }) },
      text: 'Activates or deactivates groups that are configured to be switched by telegram.',
    }),
    GetFieldEvaluationContour: method({
      level: 'AuthorizedClient',
      since: '2.2.0',
      request: { EvaluationId: integer('uint16') },
      response: { Contour: array(struct(contour), { maxItems: 1 }) },
      text: 'Returns the outline of a field. It is empty if the evaluation has no field.',
    }),
    SetFieldEvaluationContour: method({
      level: 'AuthorizedClient',
      since: '2.2.0',
      request: contour,
      response: { ErrorCode: enumeration(ContourError, ContourError.SOPAS_ERR_NO_ERR) },
      done: { ErrorCode: 0 },
      text: 'Replaces the outline of a field.',
    }),
    StartTeachIn: method({
      level: 'AuthorizedClient',
      text: 'Starts teach-in: the scanner records the contour of what is around it.',
    }),
    StopTeachIn: method({
      level: 'AuthorizedClient',
      text: 'Ends teach-in, and makes fields from the recorded contour.',
    }),
  },
  { section: 'application', variant: 'full' },
);
