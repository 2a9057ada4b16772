// Limits of the control port and of the velocity socket.

/** Limit (bytes) of the body of a command that does not declare a larger one. */
export const defaultMostBytes = 64 * 1024;
/** Number of bodies of this size that may be unfinished together. */
export const bodiesTogether = 64;

/** Number of bodies of the largest declared size that may be unfinished together, for commands that declare more. */
export const largeBodiesTogether = 4;

/** Limit (bytes) of a datagram of the velocity socket. */
export const largestVelocity = 1024;
/** Datagrams a second that the velocity socket answers: of one sender, and of all together. */
export const velocitiesOfSender = 2000;
export const velocitiesTogether = 4000;
