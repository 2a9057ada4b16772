import type { Log } from '@azimuth/device';
import type { BlockReason, Sending } from './delivery.js';

/** Where a stream is to go. */
export interface Target {
  /** Differs where another route is to be opened. */
  readonly key: string;
  /** Opens the route, or answers why there is none. `changed` is called when its `isWanted` may have changed. */
  open(changed: () => void): Route | BlockReason;
}

interface Options<Reading> {
  /** What it carries, in words for the log. */
  readonly words: string;
  readonly telegrams: Telegrams<Reading>;
  /** Where it goes, as the parameters say now; undefined while it is off. */
  readonly target: () => Target | undefined;
  readonly log: Log;
}

/**
 * One data stream: sends while it is on, its format is one that we have and there is somebody to send to. Otherwise
 * nobody looks at the scanner for it.
 */
export class DataStream<Reading> {
  readonly #options: Options<Reading>;
  #sequence = 0;
  #key: string | undefined;
  #route: Route | undefined;
  /** Why there is no route, if its target has none. */
  #noRoute: BlockReason | undefined;
  #stop: (() => void) | undefined;
  /** Why nothing is sent although it is on, once it was logged. */
  #silence: string | undefined;

  constructor(options: Options<Reading>) {
    this.#options = options;
  }

  /** Why nothing can leave although it is on; undefined while something can, and while it is off. */
  get blockedBy(): BlockReason | undefined {
    return this.#silence === undefined ? (this.#noRoute ?? this.#route?.blockedBy) : 'format';
  }

  /** Is fulfilled when it has begun, as far as it can; undefined where it has, and while it is off. */
  get beginning(): Promise<unknown> | undefined {
    if (this.#route === undefined) return undefined;
    const { opening } = this.#route;
    const { preparing } = this.#options.telegrams;
    return opening === undefined ? preparing : Promise.all([opening, preparing]);
  }

  /** Does what the parameters say now. */
  follow(): void {
    const target = this.#options.target();
    const silence = target === undefined ? undefined : this.#options.telegrams.configure();
    if (silence !== undefined && silence !== this.#silence) {
      this.#options.log.warn(`${this.#options.words}: nothing is sent`, { reason: silence });
    }
    this.#silence = silence;
    this.#take(silence === undefined ? target : undefined);
  }

  /** A boot: sends nothing until it has to `follow` again, and counts from 1 then. */
  close(): void {
    this.#take(undefined);
    this.#silence = undefined;
    this.#sequence = 0;
  }

  #take(target: Target | undefined): void {
    if (target?.key !== this.#key) {
      this.#route?.close();
      this.#key = target?.key;
      const opened = target?.open(() => this.#settle());
      this.#route = typeof opened === 'string' ? undefined : opened;
      this.#noRoute = typeof opened === 'string' ? opened : undefined;
    }
    this.#settle();
  }

  #settle(): void {
    const isWanted = this.#route?.isWanted ?? false;
    if (isWanted === (this.#stop !== undefined)) return;
    this.#stop?.();
    this.#stop = isWanted ? this.#options.telegrams.watch((reading) => this.#send(reading)) : undefined;
  }

  /** One that cannot be sent is counted like the others: the receiver of the next one sees that it is missing. */
  #send(reading: Reading): void {
    const { telegrams } = this.#options;
    this.#sequence += 1;
    const buffer = this.#route?.buffer(telegrams.mostBytes(reading));
    if (buffer === undefined) return;
    try {
      this.#route?.send(telegrams.encode(reading, this.#sequence, buffer));
    } catch (error) {
      this.#route?.sending.failed('inner', error instanceof Error ? error : undefined);
    }
  }
}

/** An open route to the receivers of a stream. */
export interface Route {
  /** Is there anybody to send to? */
  readonly isWanted: boolean;
  /** Why nobody can be sent to, however much they want it; undefined while somebody can be. */
  readonly blockedBy: BlockReason | undefined;
  /** Is fulfilled when it is open, or could not be opened; undefined where that is known already. */
  readonly opening: Promise<void> | undefined;
  /** What becomes of the telegrams on it. */
  readonly sending: Sending;
  /**
   * Room to write the next telegram into, at least so many bytes; undefined where it cannot be sent. What is in it is to
   * be handed to `send` before anything else happens.
   */
  buffer(bytes: number): Uint8Array | undefined;
  /** Sends what has been written into the room that was given last. */
  send(telegram: Uint8Array): void;
  close(): void;
}

/** The telegrams of one stream, each made of one reading. */
export interface Telegrams<Reading> {
  /** Takes over what parameters say of their content. Answers why there are none, in words, where there are none. */
  configure(): string | undefined;
  /** Is fulfilled when `watch` can begin at once; undefined where it can already. */
  readonly preparing?: Promise<unknown> | undefined;
  /** Looks at the scanner from now on: `due` gets every reading. Returns how to stop it. */
  watch(due: (reading: Reading) => void): () => void;
  /** Bytes that are enough for its telegram. */
  mostBytes(reading: Reading): number;
  /** Writes its telegram, the `sequence`th of the stream, into a room of so many bytes. Returns what it has written. */
  encode(reading: Reading, sequence: number, buffer: Uint8Array): Uint8Array;
}
