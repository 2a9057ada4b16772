import { enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import type { ValueType } from '../types/value-type.js';

/** Largest length in mm that a parameter states, in either direction. */
export const furthestOffset = 100_000;

/** An offset or a height in whole mm. */
export function offset(initial = 0): ValueType<number> {
  return integer('int32', { minimum: -furthestOffset, maximum: furthestOffset, initial });
}

export const StateChange = { SOPAS_ERR_NO_ERR: 0, SOPAS_ERR_STATE_CHANGE_NOT_PERMITTED: 1 } as const;

/** Result of a method that requests a change of state, which the present state may not permit. */
export function stateChange() {
  return enumeration(StateChange, StateChange.SOPAS_ERR_NO_ERR);
}
