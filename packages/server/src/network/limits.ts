// Limits and times that more than one interface uses. Times are in ms.

/** How long after its answer an action, such as a reboot, waits for a client that reads nothing (REST, legacy protocol). */
export const longestWaitForFlush = 100;

/** A port or socket that cannot be opened is retried after this time. */
export const reopenAfter = 1000;

/** Client addresses whose rate is remembered. Above that, the one that has been silent longest is forgotten. */
export const mostRatedClients = 10_000;

/** Answers a second over UDP (device search and DNS-SD, separately): to one address, and to all together. */
export const answersPerAddress = 20;
export const answersTogether = 200;

/** How often, at least, a client that does not read is checked: EtherSessionTimeout may change meanwhile. */
export const stallCheckInterval = 1000;

/** Connections of one listener that the system may queue while the process is busy. */
export const backlog = 4096;
