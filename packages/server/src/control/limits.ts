// Limits of the control port.

/**
 * Bytes of the body of a command that does not declare more, and number of the largest that may be unfinished together.
 */
export const defaultMostBytes = 64 * 1024;
export const bodiesTogether = 64;

/** Number of largest bodies that may be unfinished together, for commands that declare more. */
export const largeBodiesTogether = 4;
