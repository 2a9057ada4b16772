import { enumeration } from '../types/enumeration.js';

export const StateChange = { SOPAS_ERR_NO_ERR: 0, SOPAS_ERR_STATE_CHANGE_NOT_PERMITTED: 1 } as const;

/** The result of a method that asks for a change of state which the state may not permit. */
export function stateChange() {
  return enumeration(StateChange, StateChange.SOPAS_ERR_NO_ERR);
}
