/** Viewers at the same time. */
export const mostViewers = 64;

/** Largest message of a viewer, in bytes. */
export const mostMessageBytes = 1024 * 1024;

/** Bytes that the socket of a viewer may hold unsent before frames wait for it. */
export const mostUnsentBytes = 512 * 1024;

/** Bytes of messages that must not get lost and wait for a viewer. A viewer with more is disconnected. */
export const mostWaitingBytes = 8 * 1024 * 1024;

/** Names of parameters that a viewer may follow, and in one message. */
export const mostNames = 5000;
export const longestName = 300;

/** Parameters that a viewer may set with one message, and the depth of values, also of those that scanners have. */
export const mostSetParameters = 500;
export const deepestValue = 12;

/** Subscriptions in one message. */
export const mostSubscriptions = 1000;

/** Requests about parameters that a viewer may have open. */
export const mostOpenRequests = 16;

/** Wrong messages after which a viewer is disconnected. */
export const mostWrongMessages = 20;

/** Time in ms between two pings, and number of pings without an answer after which a viewer is gone. */
export const pingInterval = 20_000;
export const mostUnansweredPings = 3;

/** Time in ms that a viewer has to answer the end of its connection. */
export const closeTime = 2000;
