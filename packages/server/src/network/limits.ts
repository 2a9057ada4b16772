// Limits and times that more than one interface uses. Times are in ms.

/** A port or socket that cannot be opened is retried after this time. */
export const reopenAfter = 1000;

/** Answers a second over UDP (device search and DNS-SD, separately): to one address, and to all together. */
export const answersPerAddress = 20;
export const answersTogether = 200;

/** How often, at least, a client that does not read is checked: EtherSessionTimeout may change meanwhile. */
export const stallCheckInterval = 1000;
