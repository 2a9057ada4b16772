// Every limit of the legacy sessions stands here. Times are in ms.

/** Sessions of both interfaces together, and those of one address. */
export const mostSessions = 64;
export const mostSessionsOfAddress = 32;

/** A session with a subscription counts as silent when nothing has come from it, or gone to it, for so long. */
export const silentAfter = 10_000;

/** Bytes that the payload of a request may have. */
export const largestRequest = 64 * 1024;

/** How long a binary frame may take from its first byte that is looked at to its last one. */
export const longestFrameTime = 2000;

/** After so many requests in one go, others are served. */
export const requestsInOneGo = 50;

/** Bytes of what has come that are looked at in one go: a piece may hold thousands of requests. */
export const bytesInOneGo = 2048;

/** How long a connection is silent before the system asks whether its other end is still there. */
export const keepAliveAfter = 30_000;

/** Of the sessions that begin with another protocol, one is logged in so much time: a page can try as often as it likes. */
export const foreignLogInterval = 10_000;

/** How long `sRN LMDscandata` waits for the end of a scan: some revolutions, and a core that has to start first. */
export const scanTimeout = 1000;

/** How long scans are kept for further `sRN LMDscandata`. */
export const requestedScansTime = 5000;

/** Characters of a line that are kept from its beginning and from its end: enough to recognise a request line of HTTP. */
export const mostStoredOfLine = 16;
