// Limits of events. Sizes are in characters and times in ms, unless a name says otherwise.

/** Bytes of one message of a client. */
export const longestMessageBytes = 64 * 1024;

/** Frames of one message. A frame that waits for the rest of its message uses far more memory than its bytes. */
export const mostFragments = 16;

/**
 * Characters of the name of an event in a message. No event has a longer name. A longer one is refused and not repeated
 * in the response.
 */
export const longestEventName = 100;

/** Number of registrations of one connection, and of all together: each uses some KiB. */
export const mostRegistrations = 256;
export const mostRegistrationsTogether = 16_384;

/** Least ms between two registrations with --strict-events: 200 on devices, minus 20 for network jitter. */
export const leastRegisterInterval = 200 - 20;

/**
 * Number of values, and of responses, that may wait for one client, whatever its queues allow. Above the number of
 * responses, the client is disconnected.
 */
export const mostWaitingValues = 1024 * 1024;
export const mostWaitingResponses = 1024 * 1024;

/** Number of values and responses for all clients together. */
export const mostWaitingTogether = 32 * 1024 * 1024;

/** Announcements, and characters of them, that may wait for a client of `/x/events`. */
export const mostWaitingAnnouncements = 1000;
export const longestWaitingAnnouncements = 1024 * 1024;

/**
 * Limits for messages in `ws` that wait for compression in other threads, or for the system to accept them. Messages
 * are short, and each uses several times its length in memory. While all connections together are below the third
 * limit, one connection may use the first limit; otherwise only the second.
 */
export const mostUnsent = 256 * 1024;
export const mostUnsentWhenMany = 8 * 1024;
export const mostUnsentTogether = 4 * 1024 * 1024;

/**
 * Time for which a client may read nothing while messages wait for it. It is time of the computer; virtual time does
 * not count.
 */
export const longestStandstill = 60_000;

/** Interval of pings, in time of the computer, and number of consecutive pings that may stay unanswered. */
export const pingInterval = 30_000;
export const mostUnansweredPings = 2;
