// Limits of sessions. Sizes are in bytes, times in ms.

/** Largest file of a session. What follows is not recorded. */
export const largestSession = 1024 * 1024 * 1024;

/** Bytes that may wait for a slow disk. If more come, the session ends. */
export const mostUnwritten = 64 * 1024 * 1024;

/** Largest file that can be served: its content is in memory. */
export const largestServed = 256 * 1024 * 1024;

/** Longest delay of a response or an event that is served. */
export const longestDelay = 600_000;
