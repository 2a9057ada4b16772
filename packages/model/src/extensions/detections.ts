import { evaluationSlots } from '../groups/field-limits.js';
import { array } from '../types/array.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';

/** So many detections are kept; one more pushes the oldest out (specification, Limits). */
export const detectionsKept = 200;

/** One detection: an evaluation that became infringed. */
const detection = struct({
  /** ms since 1970 UTC, by the clock of the scanner. */
  Timestamp: integer('uint64'),
  EvaluationId: integer('uint16', { minimum: 1, maximum: evaluationSlots }),
  /** The name that the evaluation had. */
  Name: string({ maxLength: 20 }),
  /** Where the object was, in mm; nothing where that is not known. */
  Positions: array(struct({ x: integer('int32'), y: integer('int32') }), { maxItems: 1 }),
});

export type Detection = TypeOf<typeof detection>;

/** What the detection history holds, the oldest first. */
export function detections() {
  return array(detection, { maxItems: detectionsKept });
}
