// Limits of the legacy sessions. Times are in ms.

/** Number of sessions of both interfaces together, and of one address. */
export const mostSessions = 64;
export const mostSessionsOfAddress = 32;

/** Time without data in either direction after which a session with a subscription counts as silent. */
export const silentAfter = 10_000;

/** Bytes of the payload of a request. */
export const largestRequest = 64 * 1024;

/** Time from the first inspected byte of a binary frame to its last one. */
export const longestFrameTime = 2000;

/** Number of requests in one go, after which other clients are served. */
export const requestsInOneGo = 50;

/** Bytes that are inspected in one go: a piece may hold thousands of requests. */
export const bytesInOneGo = 2048;

/** Time of silence after which the system checks a connection. */
export const keepAliveAfter = 30_000;

/** Interval in which one session that begins with another protocol is logged: a page can try as often as it likes. */
export const foreignLogInterval = 10_000;

/** Time for which `sRN LMDscandata` waits for the end of a scan: some revolutions, and the start of a core. */
export const scanTimeout = 1000;

/** Time for which scans are observed for further `sRN LMDscandata`. */
export const requestedScansTime = 5000;

/**
 * Number of characters of a line that are stored from its beginning and from its end: enough to recognise a request
 * line of HTTP.
 */
export const mostStoredOfLine = 16;
