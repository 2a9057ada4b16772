// The limits of data streams. Sizes are in bytes and times in ms.

/** TCP clients of all data streams together. */
export const mostClients = 16;

/** Telegrams that may wait for one TCP client. Further ones are dropped for this client. */
export const mostWaitingBytes = 1024 * 1024;

/** Memory that a waiting telegram uses in addition to its bytes. */
export const telegramOverhead = 200;

/**
 * Datagrams of a stream that the operating system has not taken yet: three revolutions of ten segments can come at
 * once.
 */
export const mostUnsentDatagrams = 32;

/** Buffers of one size that are kept for the next datagrams of all streams. */
export const mostSpareBuffers = 512;

/** Datagrams of all streams of the process that are sent together: what takes about a millisecond to compute. */
export const mostDatagramsTogether = 32;

/**
 * Sending counts as working again after this time without failure. Refusals arrive with a delay, and systems report an
 * unreachable host only every three seconds.
 */
export const failureFreeTime = 5000;

/**
 * A client that switches a stream on is answered within this time, even if a core takes longer to start. It is host
 * time.
 */
export const longestStart = 2000;

/** Telegrams of a stream that a planned fault delays at a time; more are lost. */
export const mostDelayedTelegrams = 1000;

/** ms that a telegram waits at most for those that overtake it by a planned fault. */
export const longestReordering = 1000;
