/** @packageDocumentation @internal */

// Limits that all ports have in common: requests, connections, responses. Sizes are in bytes and times in ms, unless a
// comment says otherwise.

/** Size of the first buffer for a body that comes in pieces. It doubles when it is full. */
export const firstBodyBuffer = 1024;

/** Largest body that is parsed at once: V8 takes some ms at most for the worst of them. */
export const mostBytesParsedAtOnce = 16 * 1024;

/** Largest `header` of a body that is parsed. A header with its five texts has about 400 bytes. */
export const longestCredentials = 4096;

/** Largest sum of request line, header names and header values; HTTP 431 above that. */
export const mostHeaderBytes = 16 * 1024;

/** Most header lines of one request. Of more than 2000, node would drop some from `headers`. */
export const mostHeaderLines = 200;

/** Times (ms) for which a client may keep a connection busy with little or nothing. */
export interface Timeouts {
  /** Time from the first byte of a request, or from the connection on, to the end of its headers. */
  readonly headers: number;
  /**
   * Time from the first byte of a request to the end of its body; at least as long as `headers`. A firmware file may
   * take longer, if it keeps its minimum rate.
   */
  readonly request: number;
  /** Time from a response to the next request. Node allows a second more than the header Keep-Alive says. */
  readonly idle: number;
  /** Time without a byte in either direction, even during a response: a client may not read it. */
  readonly silent: number;
}

/**
 * Default times. `idle` is longer than the 60 s for which clients keep pooled connections, so that clients close first.
 */
export const defaultTimeouts: Timeouts = { headers: 10_000, request: 60_000, idle: 65_000, silent: 120_000 };

/** Timeouts that a program chooses. The others have their defaults. */
export type ChosenTimeouts = { readonly [K in keyof Timeouts]?: Timeouts[K] | undefined };

/** Returns all timeouts: the chosen ones, and defaults for the others. */
export function timeoutsOf(chosen: ChosenTimeouts = {}): Timeouts {
  return {
    headers: chosen.headers ?? defaultTimeouts.headers,
    request: chosen.request ?? defaultTimeouts.request,
    idle: chosen.idle ?? defaultTimeouts.idle,
    silent: chosen.silent ?? defaultTimeouts.silent,
  };
}

/** Number of requests, and of pieces of bodies, for which the clock is read once: most take about 20 µs. */
export const requestsPerClockUpdate = 8;

/** Interval at which overdue requests are searched, at most. */
export const timeoutCheckInterval = 1000;

// Limits of connections. Their number is the option --max-connections.

/**
 * Number of connections above the limit that may wait for their refusal (status 11) at the same time, and how long they
 * may.
 */
export const mostRefusedConnections = 64;
export const refusedConnectionTime = 5000;

/**
 * Number of connections without a first request that stay open when the limit is reached. Above it, the oldest is
 * closed.
 */
export const mostHalfOpenConnections = 64;

/**
 * Time in which a client may read the last response on a connection that is not HTTP, or a refused WebSocket, before
 * the connection is closed.
 */
export const lastResponseLinger = 1000;

/** Number of connections above the limit of a shared port, for probes only. */
export const mostConnectionsForProbes = 16;

/** Number of connections of a port of one computer: the control port, `azimuth gui`. */
export const mostLocalConnections = 1024;

// Limits of pipelining: requests that come before the responses to earlier ones.

/** Number of waiting requests from which on nothing more is read from the connection. */
export const requestsBeforePause = 32;

/**
 * Number of requests that may wait on one connection: data that has been read already (64 KiB at a time) may hold many.
 * HTTP 429 above.
 */
export const mostWaitingRequests = 100;

/**
 * Number of requests that may wait on all connections together. While there are more, only the second number may wait
 * on each.
 */
export const mostWaitingTogether = 2048;
export const mostWaitingWhenMany = 4;

/**
 * Time for waiting requests in one pass of the event loop. Work that is due meanwhile, such as scan data, comes before
 * the rest.
 */
export const longestTurn = 5;

/**
 * Number of connections with too many waiting requests that may read their responses before they are closed, and the
 * time for that.
 */
export const mostOverfull = 4;
export const overfullLinger = 5000;

/** Number of finished responses that may wait on one connection behind a response that its client does not read. */
export const mostUnsentResponses = 32;

/**
 * Bytes of such responses. Together with a piece of this response and of the one being sent, less than 1 MiB waits at a
 * connection.
 */
export const mostUnsentBytes = 896 * 1024;

/** Both limits for all connections together. Each response takes memory besides its bytes. */
export const mostUnsentResponsesTogether = 1024;
export const mostUnsentBytesTogether = 8 * 1024 * 1024;

// Limits of responses.

/** Characters of the header Azimuth-Detail before they are encoded. */
export const longestDetail = 400;

/** Size of the pieces of larger responses. The next piece follows when the system has accepted this one. */
export const pieceBytes = 32 * 1024;

/** Time (s) for which a browser may cache the response to a preflight request. */
export const preflightAge = 600;

/** Time (s) after which a client may try again that was refused because of others. */
export const retryAfter = 1;

/** Time for the rest of a refused upload. Then the connection is closed. */
export const longestDrain = 10_000;

/**
 * Time for which an action after a response, such as a reboot, waits for a client that reads nothing (REST, legacy
 * protocol).
 */
export const longestWaitForFlush = 100;

/**
 * Number of client addresses whose rate is remembered. Above that, the one that has been silent longest is forgotten.
 */
export const mostRatedClients = 10_000;

/** Number of connections of one listener that the system may queue while the process is busy. */
export const backlog = 4096;
