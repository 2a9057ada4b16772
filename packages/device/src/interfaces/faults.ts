/**
 * Faults of the network protocols on demand, for tests. Real devices have none. Each property is undefined while no fault
 * of its protocol is planned, so that a protocol asks nothing more.
 */
export interface Faults {
  readonly http: HttpFaults | undefined;
  readonly events: EventFaults | undefined;
  readonly legacy: LegacyFaults | undefined;
  readonly streams: StreamFaults | undefined;
  /** The network cable. */
  readonly link: LinkFaults;
}

/** What happens to the reply of a request. */
export type ResponseFault =
  | { readonly kind: 'status'; readonly status: number; readonly httpStatus: number }
  /** HTTP 429. */
  | { readonly kind: 'busy'; readonly retryAfter: number }
  /** Only so many bytes of the body are sent, and never all of it. */
  | { readonly kind: 'truncated'; readonly bytes: number }
  /** The connection is reset, or nothing is answered; the request is carried out first, or not. */
  | { readonly kind: 'reset' | 'unanswered'; readonly handled: boolean }
  /** The body comes at so many bytes a second. */
  | { readonly kind: 'slow'; readonly rate: number };

/** What happens to a request. */
export interface RequestFault {
  /** ms that it waits before it is handled. */
  readonly latency: number;
  readonly response: ResponseFault | undefined;
}

export interface HttpFaults {
  /** The fault of this request; undefined if there is none. @param path decoded, without the query */
  of(path: string, method: string): RequestFault | undefined;
}

/** The kinds of WebSocket connections: events, changes of all variables, live scans. */
export type EventPath = 'events' | 'changes' | 'scan';

/** What happens to a message to a client of events. */
export type MessageFault =
  | { readonly kind: 'drop'; readonly how: 'close' | 'reset' }
  /** It and the later ones wait for so many ms. */
  | { readonly kind: 'stall'; readonly milliseconds: number }
  /** It is sent behind the next one, or after so many ms. */
  | { readonly kind: 'behind'; readonly milliseconds: number };

export interface EventFaults {
  of(path: EventPath): MessageFault | undefined;
}

export interface LegacyFaults {
  /** The code of the error that answers this request (its payload) instead; undefined if there is none. */
  refusalOf(request: Uint8Array): number | undefined;
  /** The telegram as it is sent instead of this one; the same one if there is no fault. It must not be changed. */
  damaged(frame: Uint8Array): Uint8Array;
}

/** The streams that have faults. */
export type FaultyStream = 'scan' | 'imu' | 'encoder';

/** What happens to the next telegram of a stream. */
export interface TelegramFault {
  /** `silent`: it is not even counted; `gone`: nobody is at the destination. */
  readonly fate: 'sent' | 'lost' | 'silent' | 'gone';
  /** How often it is sent in addition. */
  readonly copies: number;
  /** How many later telegrams are sent first. */
  readonly behind: number;
  /** ms. */
  readonly delay: number;
  /** Changes its bytes. */
  readonly damage: ((telegram: Uint8Array) => void) | undefined;
}

export interface StreamFaults {
  /** The fault of the next telegram; undefined if there is none. */
  of(stream: FaultyStream): TelegramFault | undefined;
}

/** The network cable: `silent` or `reset` while it is out, and which of both connections see. */
export interface LinkFaults {
  /** Undefined while the cable is in. */
  readonly down: 'silent' | 'reset' | undefined;
  /** Calls `listener` when the cable is pulled out or put in. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}
