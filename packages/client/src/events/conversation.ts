import type { EventSocket } from './socket.js';

/** What is said over one connection, from its opening to its end. */
export interface Conversation {
  /** Has the scanner shown that it sends what was asked for? A connection that is lost earlier is not opened again. */
  readonly established: boolean;
  /** Has it done everything that was asked for? Then the pauses between attempts are short again. */
  readonly complete: boolean;
  /**
   * Asks for what is wanted.
   * @param signal aborts when the connection is over
   * @returns why the connection is of no use; undefined if it is
   */
  begin(socket: EventSocket, signal: AbortSignal): Promise<string | undefined>;
  /** Takes a message. What it throws ends the stream. */
  take(data: string | Uint8Array): void;
}

/** A scanner that sends as soon as the connection is open, and needs not be asked. */
export class Listening implements Conversation {
  readonly established = true;
  readonly complete = true;
  readonly take: (data: string | Uint8Array) => void;

  constructor(take: (data: string | Uint8Array) => void) {
    this.take = take;
  }

  begin(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
