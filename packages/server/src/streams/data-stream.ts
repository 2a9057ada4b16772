import type { Clock, Faults, FaultyStream, Log, StreamFaults } from '@azimuth/device';
import type { BlockReason, Sending } from './delivery.js';
import { FaultyTelegrams } from './faulty-telegrams.js';

/** The destination of a stream. */
export interface Target {
  /** Identifies the route: another key needs a new route. */
  readonly key: string;
  /** Opens the route, or returns why there is none. `changed` is called when its `isWanted` may have changed. */
  open(changed: () => void): Route | BlockReason;
}

interface Options<Reading> {
  /** What it carries, in words for the log. */
  readonly words: string;
  readonly telegrams: Telegrams<Reading>;
  /** The present target according to the parameters; undefined while the stream is off. */
  readonly target: () => Target | undefined;
  readonly log: Log;
  /** Planned faults of its telegrams; undefined for a scanner that has none. */
  readonly faulty?: PossibleFaults | undefined;
}

/** Where the faults of a stream are planned. */
export interface PossibleFaults {
  readonly stream: FaultyStream;
  readonly faults: Faults;
  readonly clock: Clock;
}

/**
 * One data stream. It sends while it is on, its format is supported and there is a receiver. Otherwise it does not
 * observe the scanner.
 */
export class DataStream<Reading> {
  readonly #options: Options<Reading>;
  readonly #telegrams: Telegrams<Reading>;
  #sequence = 0;
  #key: string | undefined;
  #route: Route | undefined;
  /** Why its target has no route. */
  #noRoute: BlockReason | undefined;
  #stop: (() => void) | undefined;
  /** The logged reason why it is on but sends nothing. */
  #silence: string | undefined;
  #faultyTelegrams: FaultyTelegrams | undefined;

  constructor(options: Options<Reading>) {
    this.#options = options;
    this.#telegrams = options.telegrams;
  }

  /** Why nothing can be sent although it is on; undefined while something can be sent, and while it is off. */
  get blockedBy(): BlockReason | undefined {
    return this.#silence === undefined ? (this.#noRoute ?? this.#route?.blockedBy) : 'format';
  }

  /** Fulfilled when it has started, as far as it can; undefined if it has started already, and while it is off. */
  get beginning(): Promise<unknown> | undefined {
    if (this.#route === undefined) return undefined;
    const { opening } = this.#route;
    const { preparing } = this.#telegrams;
    return opening === undefined ? preparing : Promise.all([opening, preparing]);
  }

  /** Applies the present parameters. */
  follow(): void {
    const target = this.#options.target();
    const silence = target === undefined ? undefined : this.#telegrams.configure();
    if (silence !== undefined && silence !== this.#silence) {
      this.#options.log.warn(`${this.#options.words}: nothing is sent`, { reason: silence });
    }
    this.#silence = silence;
    this.#take(silence === undefined ? target : undefined);
  }

  /** A boot: sends nothing until the next `follow`, and then counts from 1. */
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
    this.#stop = isWanted ? this.#telegrams.watch((reading) => this.#send(reading)) : undefined;
  }

  #send(reading: Reading): void {
    const { faulty } = this.#options;
    if (faulty?.faults.streams === undefined) this.#sendNext(reading);
    else this.#sendFaulty(reading, faulty, faulty.faults.streams);
  }

  /** A telegram that cannot be sent is counted like the others: the receiver sees the gap in the next one. */
  #sendNext(reading: Reading): void {
    const telegrams = this.#telegrams;
    this.#sequence += 1;
    const buffer = this.#route?.buffer(telegrams.mostBytes(reading));
    if (buffer === undefined) return;
    try {
      this.#route?.send(telegrams.encode(reading, this.#sequence, buffer));
    } catch (error) {
      this.#route?.sending.failed('inner', error instanceof Error ? error : undefined);
    }
  }

  #sendFaulty(reading: Reading, { stream, clock }: PossibleFaults, faults: StreamFaults): void {
    const fault = faults.of(stream);
    if (fault?.fate === 'silent') return;
    this.#sequence += 1;
    const route = this.#route;
    if (route === undefined || fault?.fate === 'lost') return;
    if (fault?.fate === 'gone') {
      route.meetNobody();
      return;
    }
    const telegrams = this.#telegrams;
    const buffer = route.buffer(telegrams.mostBytes(reading));
    if (buffer === undefined) return;
    this.#faultyTelegrams ??= new FaultyTelegrams(clock, () => this.#route);
    try {
      this.#faultyTelegrams.send(telegrams.encode(reading, this.#sequence, buffer), fault, route);
    } catch (error) {
      route.sending.failed('inner', error instanceof Error ? error : undefined);
    }
  }
}

/** An open route to the receivers of a stream. */
export interface Route {
  /** Is there a receiver? */
  readonly isWanted: boolean;
  /** Why no receiver can be reached; undefined while one can. */
  readonly blockedBy: BlockReason | undefined;
  /** Fulfilled when it is open or could not be opened; undefined if that is known already. */
  readonly opening: Promise<void> | undefined;
  /** Counts and logs sent and lost telegrams. */
  readonly sending: Sending;
  /**
   * A buffer of at least this size for the next telegram; undefined if it cannot be sent. The caller must pass it to
   * `send` at once.
   */
  buffer(bytes: number): Uint8Array | undefined;
  /** Sends the telegram that was written into the buffer given last. */
  send(telegram: Uint8Array): void;
  /** A telegram meets nobody at the destination: it counts as refused. Clients of a port lose their connections. */
  meetNobody(): void;
  close(): void;
}

/** The telegrams of one stream, each made of one reading. */
export interface Telegrams<Reading> {
  /** Applies the parameters of their content. Returns why there are none, in words. */
  configure(): string | undefined;
  /** Fulfilled when `watch` can begin at once; undefined if it can already. */
  readonly preparing?: Promise<unknown> | undefined;
  /** Observes the scanner: `due` gets every reading. Returns a function that stops it. */
  watch(due: (reading: Reading) => void): () => void;
  /** Upper limit of the size of its telegram in bytes. */
  mostBytes(reading: Reading): number;
  /**
   * Writes the telegram number `sequence` of the stream into a buffer of this size. Returns the part that was written.
   */
  encode(reading: Reading, sequence: number, buffer: Uint8Array): Uint8Array;
}
