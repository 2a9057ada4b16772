import type { Clock, Log } from '@azimuth/device';
import type { Faults, FaultyStream, StreamFaults } from '@azimuth/device/faults';
import type { BlockReason, Sending } from './delivery.js';
import { FaultyTelegrams } from './faulty-telegrams.js';

/** Destination of a stream. */
export interface Target {
  /** Identifies the route: another key needs a new route. */
  readonly key: string;
  /**
   * Opens the route, or returns the reason why there is none.
   * @param changed called when its `hasReceiver` may have changed
   */
  open(changed: () => void): Route | BlockReason;
}

interface Options<Reading> {
  /** Content of the stream, in words for the log. */
  readonly description: string;
  readonly telegrams: Telegrams<Reading>;
  /** Present target according to the parameters; undefined while the stream is off. */
  readonly target: () => Target | undefined;
  readonly log: Log;
  /** Planned faults of its telegrams; undefined for a scanner that has none. */
  readonly faulty?: PossibleFaults | undefined;
}

/** Planned faults of a stream. */
export interface PossibleFaults {
  readonly stream: FaultyStream;
  readonly faults: Faults;
  readonly clock: Clock;
}

/**
 * States of a stream, according to its parameters. `follow` leads from each state to each other one; if the state and the route stay the
 * same, nothing is opened again.
 *
 * | the parameters say                          | state         |
 * |---------------------------------------------|---------------|
 * | it is off, or the scanner is down           | `off`         |
 * | it is on, in a format without telegrams     | `unsupported` |
 * | it is on, and no route leads to its target  | `blocked`     |
 * | it is on, and has a route                   | `routed`      |
 */
type State =
  | { readonly kind: 'off' }
  /** True if the reason was logged. */
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly key: string; readonly by: BlockReason }
  | Routed;

interface Routed {
  readonly kind: 'routed';
  readonly key: string;
  readonly route: Route;
  /** Ends the observation of the scanner; undefined while there is no receiver. */
  readonly stop: (() => void) | undefined;
}

/**
 * One data stream. It sends while it is on, its format is supported and there is a receiver. Otherwise it does not
 * observe the scanner.
 */
export class DataStream<Reading> {
  readonly #options: Options<Reading>;
  readonly #telegrams: Telegrams<Reading>;
  #sequence = 0;
  #state: State = { kind: 'off' };
  #faultyTelegrams: FaultyTelegrams | undefined;

  constructor(options: Options<Reading>) {
    this.#options = options;
    this.#telegrams = options.telegrams;
  }

  /** Reason why nothing can be sent although it is on; undefined while something can be sent, and while it is off. */
  get blockedBy(): BlockReason | undefined {
    const state = this.#state;
    if (state.kind === 'unsupported') return 'format';
    return state.kind === 'blocked' ? state.by : this.#route?.blockedBy;
  }

  /** Fulfilled when it has started, as far as it can; undefined if it has started already, and while it is off. */
  get beginning(): Promise<unknown> | undefined {
    const route = this.#route;
    if (route === undefined) return undefined;
    const { opening } = route;
    const { preparing } = this.#telegrams;
    return opening === undefined ? preparing : Promise.all([opening, preparing]);
  }

  /** Applies the present parameters. */
  follow(): void {
    const target = this.#options.target();
    const reason = target === undefined ? undefined : this.#telegrams.configure();
    if (target === undefined) this.#enter({ kind: 'off' });
    else if (reason !== undefined) this.#fallSilent(reason);
    else this.#routeTo(target);
  }

  /** Resets it at a boot: nothing is sent until the next `follow`. Telegrams then count from 1. */
  close(): void {
    this.#enter({ kind: 'off' });
    this.#sequence = 0;
  }

  #fallSilent(reason: string): void {
    const { description, log } = this.#options;
    if (this.#state.kind !== 'unsupported' || this.#state.reason !== reason)
      log.warn(`${description}: nothing is sent`, { reason });
    this.#enter({ kind: 'unsupported', reason });
  }

  #routeTo(target: Target): void {
    const { key } = target;
    const before = this.#state;
    if (!('key' in before) || before.key !== key) {
      if (before.kind === 'routed') before.route.close();
      const opened = target.open(() => this.#updateWatch());
      if (typeof opened === 'string') this.#enter({ kind: 'blocked', key, by: opened });
      // The scanner is observed further, if the new route has a receiver already.
      else this.#state = { kind: 'routed', key, route: opened, stop: stopOf(this.#state) };
    }
    this.#updateWatch();
  }

  /** Leaves the present state for one without a route. */
  #enter(next: Exclude<State, Routed>): void {
    const before = this.#state;
    this.#state = next;
    if (before.kind === 'routed') before.route.close();
    stopOf(before)?.();
  }

  /** Observes the scanner while the route has a receiver. */
  #updateWatch(): void {
    const state = this.#state;
    if (state.kind !== 'routed') return;
    const { hasReceiver } = state.route;
    if (hasReceiver === (state.stop !== undefined)) return;
    state.stop?.();
    const stop = hasReceiver ? this.#telegrams.watch((reading) => this.#send(reading)) : undefined;
    this.#state = { ...state, stop };
  }

  get #route(): Route | undefined {
    return this.#state.kind === 'routed' ? this.#state.route : undefined;
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
    const route = this.#route;
    const buffer = route?.buffer(telegrams.mostBytes(reading));
    if (route === undefined || buffer === undefined) return;
    try {
      route.send(telegrams.encode(reading, this.#sequence, buffer));
    } catch (error) {
      route.sending.failed('inner', error instanceof Error ? error : undefined);
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

function stopOf(state: State): (() => void) | undefined {
  return state.kind === 'routed' ? state.stop : undefined;
}

/** Open route to the receivers of a stream. */
export interface Route {
  /** True if there is a receiver. */
  readonly hasReceiver: boolean;
  /** Reason why no receiver can be reached; undefined while one can. */
  readonly blockedBy: BlockReason | undefined;
  /** Fulfilled when it is open or could not be opened; undefined if that is known already. */
  readonly opening: Promise<void> | undefined;
  /** Counts and logs sent and lost telegrams. */
  readonly sending: Sending;
  /**
   * Returns a buffer of at least this size for the next telegram; undefined if it cannot be sent. The caller must pass
   * it to `send` at once.
   */
  buffer(bytes: number): Uint8Array | undefined;
  /** Sends the telegram that was written into the buffer returned last. */
  send(telegram: Uint8Array): void;
  /** Refuses a telegram, as if no program listened at the destination. Clients of a port lose their connections. */
  meetNobody(): void;
  close(): void;
}

/** Telegrams of one stream, each made of one reading. */
export interface Telegrams<Reading> {
  /** Applies the parameters of their content. Returns the reason why there are none, in words. */
  configure(): string | undefined;
  /** Fulfilled when `watch` can begin at once; undefined if it can already. */
  readonly preparing?: Promise<unknown> | undefined;
  /** Observes the scanner. Returns a function that stops it. @param due called with every reading */
  watch(due: (reading: Reading) => void): () => void;
  /** Returns the upper limit of the size of its telegram in bytes. */
  mostBytes(reading: Reading): number;
  /**
   * Writes the telegram number `sequence` of the stream into a buffer of this size. Returns the part that was written.
   */
  encode(reading: Reading, sequence: number, buffer: Uint8Array): Uint8Array;
}
