/** @packageDocumentation @experimental */

// The limits that the ports have in common: requests, connections, answers. Sizes are in bytes and times in ms, unless a comment says otherwise.

/** The first buffer for a body that comes in pieces. It doubles when it is full. */
export const firstBodyBuffer = 1024;

/** A body of up to this size is parsed at once: V8 takes some ms at most for the worst of them. */
export const mostBytesParsedAtOnce = 16 * 1024;

/** A longer `header` of a body is not parsed. A header with its five texts has about 400 bytes. */
export const longestCredentials = 4096;

/** Request line, header names and header values together; HTTP 431 above that. */
export const mostHeaderBytes = 16 * 1024;

/** Header lines of one request. Of more than 2000, node would drop some from `headers`. */
export const mostHeaderLines = 200;

/** How long (ms) a client may keep a connection busy with little or nothing. */
export interface Timeouts {
  /** From the first byte of a request, or from the connection on, to the end of its headers. */
  readonly headers: number;
  /**
   * From the first byte of a request to the end of its body; at least as long as `headers`. A firmware file may take
   * longer, as long as it keeps its pace.
   */
  readonly request: number;
  /** From an answer to the next request. Node allows a second more than the header Keep-Alive says. */
  readonly idle: number;
  /** Without a byte in either direction, whatever is under way: a client that does not read its answer. */
  readonly silent: number;
}

/** `idle` is longer than the 60 s for which clients keep pooled connections, so that clients close first. */
export const usualTimeouts: Timeouts = { headers: 10_000, request: 60_000, idle: 65_000, silent: 120_000 };

/** Some of them, chosen by a program. */
export type ChosenTimeouts = { readonly [K in keyof Timeouts]?: Timeouts[K] | undefined };

/** What is not chosen is as usual. */
export function timeoutsOf(chosen: ChosenTimeouts = {}): Timeouts {
  return {
    headers: chosen.headers ?? usualTimeouts.headers,
    request: chosen.request ?? usualTimeouts.request,
    idle: chosen.idle ?? usualTimeouts.idle,
    silent: chosen.silent ?? usualTimeouts.silent,
  };
}

/** The clock is read once in this many requests, and once in this many pieces of bodies: most take about 20 µs. */
export const requestsPerClockUpdate = 8;

/** How often, at most, overdue requests are looked for. */
export const timeoutCheckInterval = 1000;

// Connections. Their number is the option --max-connections.

/** Connections above the limit that may wait for their refusal (status 11) at the same time, and for how long. */
export const mostRefusedConnections = 64;
export const refusedConnectionTime = 5000;

/**
 * Connections without a first request that are kept when the limit is reached. Above this number the oldest is closed.
 */
export const mostHalfOpenConnections = 64;

/** How long a client may take to read the refusal of what is not HTTP, or of a WebSocket, before its connection is cut. */
export const lastAnswerLinger = 1000;

/** Connections above the limit of a port that many share, for probes alone. */
export const mostConnectionsForProbes = 16;

/** Connections of a port of one computer: the control port, `azimuth gui`. */
export const mostOwnConnections = 1024;

// Pipelining: requests that come before the answers to those in front of them.

/** When so many requests of a connection wait, nothing more is read from it. */
export const requestsBeforePause = 32;

/** Requests that may wait on one connection: what has been read already (64 KiB at a time) may hold many. HTTP 429 above. */
export const mostWaitingRequests = 100;

/** Requests that may wait on all connections together; while there are more, only the second number on each. */
export const mostWaitingTogether = 2048;
export const mostWaitingWhenMany = 4;

/** Work for requests that wait in one pass of the event loop. What is due meanwhile, as scan data, comes before the rest. */
export const longestTurn = 5;

/** Connections with too many waiting requests that may read their answers before they are closed, and for how long. */
export const mostOverfull = 4;
export const overfullLinger = 5000;

/** Finished answers that may wait on one connection behind an answer that its client does not read. */
export const mostUnsentReplies = 32;

/**
 * Bytes of such answers. Together with a piece of this answer and of the one being sent, a connection keeps less than 1
 * MiB waiting.
 */
export const mostUnsentBytes = 896 * 1024;

/** The same for all connections together. Each answer takes memory besides its bytes. */
export const mostUnsentRepliesTogether = 1024;
export const mostUnsentBytesTogether = 8 * 1024 * 1024;

// Answers.

/** Characters of the header Azimuth-Detail before they are encoded. */
export const longestDetail = 400;

/** A larger answer is written in pieces of this size. The next piece follows when the system has accepted this one. */
export const pieceBytes = 32 * 1024;

/** In seconds: for this time, a browser may cache the answer to a preflight request. */
export const preflightAge = 600;

/** In seconds: a client that is refused because others are served at the moment may try again after this time. */
export const retryAfter = 1;

/** How long the rest of a refused upload may take. Then the connection is closed. */
export const longestDrain = 10_000;

/** How long after its answer an action, such as a reboot, waits for a client that reads nothing (REST, legacy protocol). */
export const longestWaitForFlush = 100;

/** Client addresses whose rate is remembered. Above that, the one that has been silent longest is forgotten. */
export const mostRatedClients = 10_000;

/** Connections of one listener that the system may queue while the process is busy. */
export const backlog = 4096;
