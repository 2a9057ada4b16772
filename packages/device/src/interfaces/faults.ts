import type { BeamRange } from '../data-reduction/output-segments.js';
import type { Scan } from '../scan/scan.js';

/**
 * Faults of the network protocols on demand, for tests. Real devices have none. Each property is undefined while no
 * fault of its protocol is planned, so that a protocol has nothing to check.
 */
export interface Faults {
  readonly http: HttpFaults | undefined;
  readonly events: EventFaults | undefined;
  readonly legacy: LegacyFaults | undefined;
  readonly streams: StreamFaults | undefined;
  /** The network cable. */
  readonly link: LinkFaults;
}

/** A fault of the response to a request. */
export type ResponseFault =
  | { readonly kind: 'status'; readonly status: number; readonly httpStatus: number }
  /** HTTP 429. */
  | { readonly kind: 'busy'; readonly retryAfter: number }
  /** Sends only this many bytes of the body, and never all of them. */
  | { readonly kind: 'truncated'; readonly bytes: number }
  /** Resets the connection, or sends no response. The request is carried out first, or not. */
  | { readonly kind: 'reset' | 'unanswered'; readonly handled: boolean }
  /** Sends this many bytes of the body per second. */
  | { readonly kind: 'slow'; readonly rate: number };

/** A fault of a request. */
export interface RequestFault {
  /** Delay in ms before the request is handled. */
  readonly latency: number;
  readonly response: ResponseFault | undefined;
}

export interface HttpFaults {
  /** The fault of this request. Undefined if there is none. */
  of(path: string, method: string): RequestFault | undefined;
}

/** The kinds of WebSocket connections: events, changes of all variables, live scans. */
export type EventPath = 'events' | 'changes' | 'scan';

/** A fault of a message to a client of events. */
export type MessageFault =
  | { readonly kind: 'drop'; readonly how: 'close' | 'reset' }
  /** Delay in ms of this message and the later ones. */
  | { readonly kind: 'stall'; readonly milliseconds: number }
  /** Sends it behind the next message, or after this many ms. */
  | { readonly kind: 'behind'; readonly milliseconds: number };

export interface EventFaults {
  of(path: EventPath): MessageFault | undefined;
}

export interface LegacyFaults {
  /** The error code of the response to this request (its payload). Undefined without a fault. */
  refusalOf(request: Uint8Array): number | undefined;
  /** The telegram to send instead of this one. The same one if there is no fault. It must not be changed. */
  damaged(frame: Uint8Array): Uint8Array;
}

/** The streams with faults. */
export type FaultyStream = 'scan' | 'imu' | 'encoder';

/** A fault of the next telegram of a stream. */
export interface TelegramFault {
  /** `silent`: the telegram is not even counted. `gone`: nobody is at the destination. */
  readonly fate: 'sent' | 'lost' | 'silent' | 'gone';
  /** Number of additional copies. */
  readonly copies: number;
  /** Number of later telegrams that are sent first. */
  readonly behind: number;
  /** ms. */
  readonly delay: number;
  /** Changes its bytes. */
  readonly damage: ((telegram: Uint8Array) => void) | undefined;
}

export interface StreamFaults {
  /** The fault of the next telegram. Undefined if there is none. */
  of(stream: FaultyStream): TelegramFault | undefined;
}

/** Beams of a scan. */
export interface ScanBeams {
  readonly scan: Scan;
  readonly beams: BeamRange;
}

/** Faults of the echoes of a core. They act before all filters, so that every user of scans sees them. */
export interface ScanFaults {
  /**
   * Receives beams of a scan of the core: all of them, or those that have come since the last call.
   * @param furthest distance in mm that telegrams carry
   * @returns the beams that the scanner processes instead. They follow those of the last call, and may be fewer until the
   * scan is complete. The scan is reused
   */
  disturbed(measured: ScanBeams, furthest: number): ScanBeams;
}

/** Faults of a core: they act before the scanner checks what the core passes. */
export interface CoreFaults {
  /**
   * Receives a scan of the core, or a part of it.
   * @returns the scan that the core passes instead, which may be reused; undefined if it passes nothing
   */
  passed(scan: Scan): Scan | undefined;
}

/** Faults of the times in telegrams. */
export interface StampFaults {
  /** µs by which the clock of the times in telegrams is ahead at a time (µs since the scanner came up). */
  clockError(time: number): number;
  /** Whole µs by which the times of the beams of a scan are ahead in addition. */
  scanError(scan: Pick<Scan, 'number'>): number;
  /** Called when a time server or a PTP master has set the clock right: from this time (µs) on. */
  corrected(from: number): void;
  /** Called at a boot, when the time begins at 0. */
  boot(): void;
}

/** The network cable. `silent` or `reset`: what both connections see while it is out. */
export interface LinkFaults {
  /** Undefined while the cable is plugged in. */
  readonly down: 'silent' | 'reset' | undefined;
  /** Calls `listener` when the cable is pulled out or put in. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}
