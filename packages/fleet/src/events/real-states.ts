/**
 * The states of a real scanner. `online`: it has answered. `unreachable`: it does not answer, or was not asked yet.
 * `wrong-serial`: another scanner is at its address. `locked-out`: it has refused the login of the fleet.
 */
export const realStates = ['online', 'unreachable', 'wrong-serial', 'locked-out'] as const;

export type RealState = (typeof realStates)[number];
