/** ms within which a core says hello, and the clock of the core is mapped. */
export const helloTimeout = 2000;
/** ms between two pings, and within which each is answered. */
export const pingInterval = 1000;
export const pingTimeout = 5000;
/** Pings one after the other before the first order. */
export const firstPings = 8;
/** ms after which a motion is too old. */
export const oldestMotion = 1000;
/** Bytes that may wait for a core that does not read. */
export const mostUnreadBytes = 64 * 1024;
/** ms for the last message to a connection that is closed. */
export const farewellTimeout = 1000;
/** Connections at a time: the core, and others that are being refused. */
export const mostConnections = 8;
/** What a core may send within a second beside its scans, and how many times as many scans as ordered. */
export const flood = { bytes: 1024 * 1024, messages: 5000, scans: 4 } as const;
/** Lines in the log of one kind within this time (ms). Others are counted. */
export const logLimit = { lines: 3, time: 10_000 } as const;
