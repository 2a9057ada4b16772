import type { Down } from './down.js';
import type { Sending } from './sending.js';

/** A way to whoever receives a stream. */
export interface Route {
  /** Is there anybody to send to? */
  readonly isWanted: boolean;
  /** Why nobody can be sent to, however much they want it; undefined while somebody can be. */
  readonly down: Down | undefined;
  /** Is fulfilled when it is open, or could not be opened; undefined where that is known already. */
  readonly opening: Promise<void> | undefined;
  /** What becomes of the telegrams on it. */
  readonly sending: Sending;
  /**
   * Room to write the next telegram into, at least so many bytes; undefined where it cannot be sent. What is in it is to
   * be handed to `send` before anything else happens.
   */
  room(bytes: number): Uint8Array | undefined;
  /** Sends what has been written into the room that was given last. */
  send(telegram: Uint8Array): void;
  close(): void;
}
