// Limits of data streams. Sizes are in bytes and times in ms.

/** Number of TCP clients of all data streams together. */
export const mostClients = 16;

/** Number of telegrams that may wait for one TCP client. Further ones are dropped for this client. */
export const mostWaitingBytes = 1024 * 1024;

/** Memory that a waiting telegram uses in addition to its bytes. */
export const telegramOverhead = 200;

/**
 * Number of datagrams of a stream that the operating system has not accepted yet. After a pause of a quarter of a second, the
 * segments of 12 revolutions come at once from a core in another process.
 */
export const mostUnsentDatagrams = 64;

/** Number of buffers of one size that are stored for the next datagrams of all streams. */
export const mostSpareBuffers = 512;

/**
 * Number of datagrams of all streams of the process that are sent together: computing them takes about a millisecond.
 */
export const mostDatagramsTogether = 32;

/**
 * Time without a failure after which sending counts as working again. Refusals arrive with a delay, and systems report
 * an unreachable host only every three seconds.
 */
export const failureFreeTime = 5000;

/**
 * Time within which the response to a client that switches a stream on is sent, even if a core takes longer to start.
 * It is time of the computer.
 */
export const longestStart = 2000;

/** Number of telegrams of a stream that a planned fault delays at a time; more are lost. */
export const mostDelayedTelegrams = 1000;

/** Time (ms) that a telegram waits at most for those that overtake it by a planned fault. */
export const longestReordering = 1000;
