import type { EventName, ValueOf } from '@azimuth/model';
import type { EventRefusedError } from './event-refused.js';

/** A value that a scanner has sent. `event` names the variable, and so the type of `data`. */
export type ScannerEvent<N extends EventName = EventName> = {
  readonly [E in N]: {
    readonly event: E;
    /** The value of the variable, as `read` gives it. */
    readonly data: ValueOf<E>;
    /** When it was received: ms since 1970, by the clock of this computer. */
    readonly at: number;
  };
}[N];

/** A value whose name is known at run time only: unchecked JSON. */
export interface AnyEvent {
  readonly event: string;
  readonly data: unknown;
  readonly at: number;
}

/** What the scanner keeps for a reader that is slower than it. */
export interface ScannerQueue {
  /** MID by default. */
  readonly priority?: 'HIGH' | 'MID' | 'LOW';
  /** Values of one event; 1 by default. */
  readonly maxSize?: number;
  /** What is dropped if it is full; OLDEST by default. */
  readonly discardIfFull?: 'OLDEST' | 'NEWEST';
}

/** What has become of the connection. */
export type EventsState = 'connected' | 'lost' | 'reconnected';

/** How a stream of pushed values deals with its connection. */
export interface PushOptions {
  /** Ends the loop, as leaving it does. */
  readonly signal?: AbortSignal | undefined;
  /** Connect again if the connection is lost: true by default. */
  readonly reconnect?: boolean | undefined;
  /** Go on trying also if nothing answers at first, as after a loss: false by default, so that it is an error. */
  readonly retryFirst?: boolean | undefined;
  /**
   * Called when the connection is open, lost, and open again. `reason` is empty, except for `lost`. With `retryFirst`,
   * `lost` may come first.
   */
  readonly onState?: ((state: EventsState, reason: string) => void) | undefined;
}

export interface EventOptions extends PushOptions {
  /**
   * Called once for each event that the scanner does not have; the others are pushed all the same. If it has none of
   * them, the loop ends with the error of the last one. By default, it ends with the error of the first one.
   */
  readonly onMissing?: ((missing: EventRefusedError) => void) | undefined;
  /** The scanner leaves at least so many ms between two values of an event, and drops those between. */
  readonly throttle?: number | undefined;
  readonly queue?: ScannerQueue | undefined;
  /** ms between two registrations; 200 by default: devices reset the connection on a burst of them. */
  readonly pace?: number | undefined;
  /** Values that may wait for their reader; 100 by default. */
  readonly buffer?: number | undefined;
}
