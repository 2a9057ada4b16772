// Limits of what passes between a scanner and its programs. Sizes are in bytes, times in ms.

/** Longest body that is kept for the timeline. Bodies of the interface have up to 1 MiB. */
export const longestKeptBody = 1024 * 1024;

/** Bytes of bodies that are being kept at a time. */
export const mostKept = 32 * 1024 * 1024;

/** Nesting of JSON that is read. Values of the interface have less than 10 objects and arrays in one another. */
export const deepestJson = 100;

/** Connections of programs over HTTP, WebSockets included. */
export const mostHttpConnections = 256;

/** Connections of programs over the legacy protocol, at each port. */
export const mostLegacyConnections = 32;

/** Time for the connection to the scanner. */
export const connectTimeout = 5000;

/** Time without a byte of the scanner while a request waits for its response. */
export const responseTimeout = 60_000;

/** Longest message of a WebSocket. */
export const longestMessage = 4 * 1024 * 1024;

/** Bytes that may wait for one end of a WebSocket. Above that, nothing is read from the other end. */
export const mostUnsent = 1024 * 1024;

/** Longest body of a response in place of a WebSocket. */
export const longestRefusal = 64 * 1024;

/** Largest payload of a legacy telegram, by its direction. The largest scans stay below 64 KiB. */
export const largestTelegram = { 'to scanner': 64 * 1024, 'from scanner': 256 * 1024 } as const;

/** Time of silence after which the system checks a legacy connection. */
export const keepAliveAfter = 30_000;

/** Time from the first byte of a legacy telegram to its last one, if faults of telegrams are planned. */
export const longestFrameTime = 2000;
