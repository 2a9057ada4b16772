import type { Clock } from '@azimuth/device';
import type { EventCounts } from '../traffic/traffic.js';
import { type Outbox, Outlet, type QueueRules } from './outbox.js';
import type { Tail } from './tail.js';

/** What a client may wish of a registration. */
export interface Wishes {
  /** ms from one output to the next at least. */
  readonly minOutputInterval: number;
  readonly queue: QueueRules;
}

interface Facts {
  readonly wishes: Wishes;
  /** What its messages begin with. */
  readonly head: Buffer;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly counts: EventCounts;
}

/** One event told to one client: values that come too fast are held back before they come to its queue. */
export class Registration {
  readonly #facts: Facts;
  readonly #outlet: Outlet;
  /** The value that was put out last; the one that the client began with. */
  #known: Tail;
  #outputAt: number;
  #held: Tail | undefined;
  #cancel: (() => void) | undefined;

  /** @param current the value that the client is told by the reply, which counts as an output */
  constructor(facts: Facts, current: Tail) {
    this.#facts = facts;
    this.#outlet = new Outlet(facts.wishes.queue, facts.head);
    this.#known = current;
    this.#outputAt = facts.clock.monotonic();
    facts.counts.registrations++;
  }

  /** Takes the value of a change; one that is as before is none. */
  offer(tail: Tail): void {
    if (isSame(tail, this.#held ?? this.#known)) return;
    const { wishes, clock, counts } = this.#facts;
    const left = this.#outputAt + wishes.minOutputInterval - clock.monotonic();
    if (left <= 0 && this.#held === undefined) {
      this.#output(tail);
      return;
    }
    if (this.#held !== undefined) counts.throttled++;
    this.#held = tail;
    this.#cancel ??= clock.after(Math.max(0, left), () => this.#release());
  }

  end(): void {
    this.#cancel?.();
    this.#held = undefined;
    this.#facts.outbox.drop(this.#outlet);
    this.#facts.counts.registrations--;
  }

  #release(): void {
    this.#cancel = undefined;
    const held = this.#held;
    this.#held = undefined;
    // It may have come back to what the client knows meanwhile.
    if (held !== undefined && !isSame(held, this.#known)) this.#output(held);
  }

  #output(tail: Tail): void {
    this.#known = tail;
    this.#outputAt = this.#facts.clock.monotonic();
    this.#facts.outbox.send(tail, this.#outlet);
  }
}

function isSame(one: Tail, other: Tail): boolean {
  return one === other || one.text === other.text;
}
