// Limits of the control port.

/** Limit (bytes) of the body of a command that does not declare a larger one. */
export const defaultMostBytes = 64 * 1024;
/** Number of bodies of this size that may be unfinished together. */
export const bodiesTogether = 64;

/** Number of bodies of the largest declared size that may be unfinished together, for commands that declare more. */
export const largeBodiesTogether = 4;
