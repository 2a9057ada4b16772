// Limits and times that more than one interface uses. Times are in ms.

/** Time after which a port or socket that cannot be opened is retried. */
export const reopenAfter = 1000;

/** Range of ports below those that Linux, Windows and macOS choose by themselves (from 32768 on). */
export const firstReservedPort = 20_000;
export const lastReservedPort = 32_767;

/** Number of attempts in this range, after which any free port is opened. */
export const mostPortAttempts = 20;

/** Responses a second over UDP (device search and DNS-SD, separately): to one address, and to all together. */
export const responsesPerAddress = 20;
export const responsesTogether = 200;

/** Longest interval of checks of a client that does not read: EtherSessionTimeout may change meanwhile. */
export const stallCheckInterval = 1000;
