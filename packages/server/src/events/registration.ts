import type { Clock } from '@azimuth/device';
import type { EventCounts } from '../traffic/traffic.js';
import { type QueueRules, type SendQueue, ValueQueue } from './send-queue.js';

/** What a client may wish of a registration. */
export interface Wishes {
  /** ms from one output to the next at least. */
  readonly minOutputInterval: number;
  readonly queue: QueueRules;
}

interface RegistrationOptions {
  readonly wishes: Wishes;
  /** What its messages begin with. */
  readonly head: string;
  readonly sendQueue: SendQueue;
  readonly clock: Clock;
  readonly counts: EventCounts;
}

/** One event told to one client: values that come too fast are held back before they come to its queue. */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #queue: ValueQueue;
  /** The value that was put out last; the one that the client began with. */
  #known: string;
  #outputAt: number;
  #held: string | undefined;
  #cancel: (() => void) | undefined;

  /** @param current the value that the client is told by the reply, which counts as an output */
  constructor(options: RegistrationOptions, current: string) {
    this.#options = options;
    this.#queue = new ValueQueue(options.wishes.queue, options.head);
    this.#known = current;
    this.#outputAt = options.clock.monotonic();
    options.counts.registrations++;
  }

  /** Takes the value of a change, as text; one that is as before is none. */
  offer(value: string): void {
    if (value === (this.#held ?? this.#known)) return;
    const { wishes, clock, counts } = this.#options;
    const left = this.#outputAt + wishes.minOutputInterval - clock.monotonic();
    if (left <= 0 && this.#held === undefined) {
      this.#output(value);
      return;
    }
    if (this.#held !== undefined) counts.throttled++;
    this.#held = value;
    this.#cancel ??= clock.after(Math.max(0, left), () => this.#release());
  }

  end(): void {
    this.#cancel?.();
    this.#held = undefined;
    this.#options.sendQueue.drop(this.#queue);
    this.#options.counts.registrations--;
  }

  #release(): void {
    this.#cancel = undefined;
    const held = this.#held;
    this.#held = undefined;
    // It may have come back to what the client knows meanwhile.
    if (held !== undefined && held !== this.#known) this.#output(held);
  }

  #output(value: string): void {
    this.#known = value;
    this.#outputAt = this.#options.clock.monotonic();
    this.#options.sendQueue.send(value, this.#queue);
  }
}
