import type { Framing } from '@azimuth/telegrams/legacy';

/** A data stream of a scanner. */
export type StreamName = 'scan' | 'imu' | 'encoder';

/** Direction in which something passes. */
export type Direction = 'to scanner' | 'from scanner';

interface At {
  /** Time at which it was seen: µs since 1970, by the clock of this computer. */
  readonly at: number;
}

/** A telegram of a data stream, as it came. */
export interface TelegramPassed extends At {
  readonly kind: 'telegram';
  readonly stream: StreamName;
  /** The sender: `192.168.0.1:2115`. */
  readonly from: string;
  /** The local address: `192.168.0.100:2115`. */
  readonly to: string;
  readonly bytes: Uint8Array;
}

/** What is told of a body that is not kept: a file, a body that may hold secrets, or one that is too long. */
export interface UnkeptBody {
  /** Bytes. */
  readonly length: number;
  /** SHA-256 in hex; undefined for a request that may hold a password, which anybody could guess by its hash. */
  readonly sha256?: string | undefined;
}

/** A request of a program to the scanner, over HTTP. */
export interface RequestPassed extends At {
  readonly kind: 'request';
  /** Number of the request. Its response has the same. */
  readonly id: number;
  readonly method: string;
  /** Path with its query: `/api/LocationName`. */
  readonly path: string;
  /** Names and values of headers in turn, without secrets. */
  readonly headers: readonly string[];
  /** The body without secrets; empty if it is not kept. */
  readonly body: Uint8Array;
  readonly unkept?: UnkeptBody | undefined;
}

/** The response to a request. */
export interface ResponsePassed extends At {
  readonly kind: 'response';
  readonly id: number;
  /** HTTP status; undefined if the connection ended without a response. */
  readonly status: number | undefined;
  readonly headers: readonly string[];
  /** The body without secrets; empty if it is not kept. */
  readonly body: Uint8Array;
  readonly unkept?: UnkeptBody | undefined;
  /** True if the connection was lost before the end of the body. */
  readonly isBrokenOff?: boolean | undefined;
}

/** A message of a WebSocket. The request that opened it has the path of the connection, and the response status 101. */
export interface EventPassed extends At {
  readonly kind: 'event';
  /** Number of the connection. */
  readonly connection: number;
  /** Path of the connection: `/apievents`. */
  readonly path: string;
  readonly direction: Direction;
  readonly message: string | Uint8Array;
}

/**
 * A telegram of the legacy protocol, with its frame. Values that hold secrets are zeros. Bytes that belong to no telegram
 * are an entry of their own.
 */
export interface LegacyPassed extends At {
  readonly kind: 'legacy';
  /** Number of the connection. */
  readonly connection: number;
  readonly framing: Framing;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** Protocol of a connection that lasts: events over a WebSocket, or the legacy protocol in one of its framings. */
export type ConnectionProtocol = 'events' | Framing;

/** The begin of a WebSocket, or of a connection of the legacy protocol. */
export interface ConnectionOpened extends At {
  readonly kind: 'opened';
  readonly connection: number;
  readonly protocol: ConnectionProtocol;
  /** Path of a WebSocket: `/apievents`. */
  readonly path?: string | undefined;
  /** True for a WebSocket whose messages may be compressed. */
  readonly isCompressed?: boolean | undefined;
}

/** The end of a WebSocket, or of a connection of the legacy protocol. */
export interface ConnectionClosed extends At {
  readonly kind: 'closed';
  readonly connection: number;
  readonly protocol: ConnectionProtocol;
  /** The side that ended it: the program ends in the direction `to scanner`. */
  readonly direction: Direction;
  /** Code of the end of a WebSocket (RFC 6455 §7.4); 1006 if there was none. */
  readonly code?: number | undefined;
}

/** Something that the interface does not allow. */
export interface Finding extends At {
  readonly kind: 'finding';
  /** What is concerned: `response 17`, `scan telegram 4711`. */
  readonly of: string;
  /** Place in it: `data.IPAddress[4]`, `byte 44, moduleSize`. */
  readonly where: string;
  readonly expected: string;
  readonly came: string;
}

/** A planned fault that was put on what passed. */
export interface FaultHappened extends At {
  readonly kind: 'fault';
  /** Kind of the fault: `stream-loss`. */
  readonly fault: string;
  /** What it was put on: `scan telegram`, `GET /api/LocationName`. */
  readonly on: string;
}

/** Something that passed between a scanner and its programs, or was noticed about it. */
export type TimelineEntry =
  | TelegramPassed
  | RequestPassed
  | ResponsePassed
  | EventPassed
  | LegacyPassed
  | ConnectionOpened
  | ConnectionClosed
  | Finding
  | FaultHappened;
