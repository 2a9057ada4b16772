import { integer } from '../types/integer.js';
import type { ValueType } from '../types/value-type.js';

/** The largest length in mm that a parameter states, in either direction. */
export const furthestOffset = 100_000;

/** An offset or a height in whole mm. */
export function offset(initial = 0): ValueType<number> {
  return integer('int32', { minimum: -furthestOffset, maximum: furthestOffset, initial });
}
