// The limits of the control port.

/** Bytes of the body of a command that does not declare more, and how many of the largest may be unfinished together. */
export const usuallyMostBytes = 64 * 1024;
export const bodiesTogether = 64;

/** The same number for the commands that declare more. */
export const largeBodiesTogether = 4;
