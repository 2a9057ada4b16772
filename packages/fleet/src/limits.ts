import { SharedConnectionLimit, SharedLimit, type SharedLimits } from '@azimuth/http';

// What all scanners of a fleet may have together, beside the limits of each of them. Sizes are in bytes.

/** Connections to ports of scanners, if whoever starts the fleet says nothing else. */
const mostConnections = 10_000;

/** Requests and WebSockets of one scanner that are under way at the port of the fleet. */
export const mostUsesOfScanner = 1024;

/** Request bodies that are not complete: as much as four scanners alone. */
const mostBodyBytes = 256 * 1024 * 1024;

/** Replies that wait behind others on their connection: as much as eight scanners alone. */
const mostUnsentReplyBytes = 64 * 1024 * 1024;

/** Characters of events that wait for slow clients: as much as four scanners alone. */
const mostWaitingEvents = 128 * 1024 * 1024;

/** The limits that the scanners of one fleet share. */
export function limitsOfFleet(connections = mostConnections): SharedLimits {
  return {
    connections: new SharedConnectionLimit(connections),
    bodyBytes: new SharedLimit(mostBodyBytes),
    unsentResponseBytes: new SharedLimit(mostUnsentReplyBytes),
    waitingEvents: new SharedLimit(mostWaitingEvents),
  };
}
