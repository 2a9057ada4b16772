import { SharedConnectionLimit, SharedLimit, type SharedLimits } from '@azimuth/http';

// Limits of all scanners of a fleet together, in addition to the limits of each of them. Sizes are in bytes.

/** Default number of connections to ports of scanners. */
const mostConnections = 10_000;

/** Requests and WebSockets in progress of one scanner at the port of the fleet. */
export const mostUsesOfScanner = 1024;

/** Request bodies that are not complete: the limit of four single scanners. */
const mostBodyBytes = 256 * 1024 * 1024;

/** Responses that wait behind others on their connection: the limit of eight single scanners. */
const mostUnsentResponseBytes = 64 * 1024 * 1024;

/** Characters of events that wait for slow clients: the limit of four single scanners. */
const mostWaitingEvents = 128 * 1024 * 1024;

/** Returns the limits that the scanners of one fleet share. */
export function limitsOfFleet(connections = mostConnections): SharedLimits {
  return {
    connections: new SharedConnectionLimit(connections),
    bodyBytes: new SharedLimit(mostBodyBytes),
    unsentResponseBytes: new SharedLimit(mostUnsentResponseBytes),
    waitingEvents: new SharedLimit(mostWaitingEvents),
  };
}
