import type { ValueOf } from '@azimuth/model';
import type { EventName } from './event-name.js';

/** A value that a scanner has pushed; `event` tells which, and so the type of `data`. */
export type ScannerEvent<N extends EventName = EventName> = {
  readonly [E in N]: {
    readonly event: E;
    /** The value of the variable, as `read` gives it. */
    readonly data: ValueOf<E>;
    /** When it came, ms since 1970 on this computer. */
    readonly at: number;
  };
}[N];

/** A value whose name is known at run time only: JSON as it came. */
export interface AnyEvent {
  readonly event: string;
  readonly data: unknown;
  readonly at: number;
}
