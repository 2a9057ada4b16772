// Limits and times that more than one interface uses. Times are in ms.

/** A port or socket that cannot be opened is retried after this time. */
export const reopenAfter = 1000;

/** Below the ports that Linux, Windows and macOS hand out by themselves (from 32768 on). */
export const firstReservedPort = 20_000;
export const lastReservedPort = 32_767;

/** After so many of them that are taken, any free port is asked for. */
export const mostPortAttempts = 20;

/** Answers a second over UDP (device search and DNS-SD, separately): to one address, and to all together. */
export const repliesPerAddress = 20;
export const repliesTogether = 200;

/** How often, at least, a client that does not read is checked: EtherSessionTimeout may change meanwhile. */
export const stallCheckInterval = 1000;
