import { furthestCorner, mostCorners } from '../contour.js';
import { EvaluationGroupType, evaluationSlots } from '../groups/field-evaluation.js';
import { portCount } from '../groups/inputs-and-outputs.js';
import { offset } from '../groups/shared-types.js';
import { array } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';

/** Source that switches a group of evaluations on and off. */
export const GroupActivation = { DEACTIVATED: 0, ALWAYS: 1, INPUTS: 2, TELEGRAM: 3 } as const;
/** Level of an input at which a group is active. */
export const InputCondition = { INACTIVE: 0, ACTIVE: 1, DONT_CARE: 2 } as const;
/** Handling of an object in front of a field, if it hides the field. */
export const OcclusionHandling = { IGNORE: 0, INFRINGED: 1 } as const;

/** Distance (mm) along the beams up to which neighbouring objects count as one. */
const furthestThreshold = 50_000;

/** Number of an evaluation or a group. */
const number = () => integer('uint16', { minimum: 1, maximum: evaluationSlots });
const name = () => string({ maxLength: 20 });
const point = struct({ x: coordinate(), y: coordinate() });
/** Time in ms. */
const debounce = () => integer('uint16', { minimum: 1, maximum: 10_000, initial: 50 });

function coordinate() {
  return integer('int32', { minimum: -furthestCorner, maximum: furthestCorner });
}

/**
 * One evaluation: a field that objects infringe, or an area in which distances from a line are measured. Points are in
 * the coordinates of the scanner. Limits of height have no effect (field-rules.ts states the accepted values).
 */
const evaluation = struct(
  {
    Id: number(),
    Name: name(),
    Type: enumeration(EvaluationGroupType, EvaluationGroupType.FIELD_EVALUATION),
    Points: array(point, { maxItems: mostCorners }),
    LowerZLimit: offset(),
    UpperZLimit: offset(),
    MinimumObjectSize: integer('uint16', { maximum: 5000, initial: 200 }),
    InfringementThreshold: integer('uint16', { minimum: 1, maximum: 1000 }),
    TreatMissingDataAsInfringed: boolean(),
    OcclusionHandling: enumeration(OcclusionHandling, OcclusionHandling.IGNORE),
    TimeForInfringedState: debounce(),
    TimeForFreeState: debounce(),
    ReferenceLine: array(point, { maxItems: 2 }),
    ObjectDistanceThreshold: integer('uint16', { maximum: furthestThreshold }),
    ReflectorsOnly: boolean(),
    ContourAsReference: boolean(),
  },
  {
    optional: [
      ...(['Name', 'Type', 'Points', 'LowerZLimit', 'UpperZLimit', 'MinimumObjectSize'] as const),
      ...(['InfringementThreshold', 'TreatMissingDataAsInfringed', 'OcclusionHandling'] as const),
      ...(['TimeForInfringedState', 'TimeForFreeState', 'ReferenceLine'] as const),
      ...(['ObjectDistanceThreshold', 'ReflectorsOnly', 'ContourAsReference'] as const),
    ],
  },
);

const activation = struct(
  {
    Type: enumeration(GroupActivation, GroupActivation.ALWAYS),
    Inputs: array(enumeration(InputCondition, InputCondition.DONT_CARE), { maxItems: portCount }),
    InitiallyActive: boolean(),
  },
  { optional: ['Inputs', 'InitiallyActive'] },
);

/** Group of evaluations that are switched on and off together. */
const evaluationGroup = struct(
  {
    Id: number(),
    Name: name(),
    Activation: activation,
    Evaluations: array(number(), { maxItems: evaluationSlots }),
  },
  { optional: ['Name', 'Activation'] },
);

/** All evaluations and groups of a scanner. */
export function fieldDefinitions() {
  return struct({
    evaluations: array(evaluation, { maxItems: evaluationSlots }),
    groups: array(evaluationGroup, { maxItems: evaluationSlots }),
  });
}

/** One evaluation with all its members. */
export type Evaluation = TypeOf<typeof evaluation>;
/** One group of evaluations with all its members. */
export type EvaluationGroup = TypeOf<typeof evaluationGroup>;
export type FieldDefinitions = TypeOf<ReturnType<typeof fieldDefinitions>>;
