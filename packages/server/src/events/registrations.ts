import type { Clock, Device } from '@azimuth/device';
import { EventVariable, groupsOf, type Variable } from '@azimuth/model';
import { dataOf } from '../rest/response-bodies.js';
import type { EventCounts } from './event-metrics.js';
import { type QueueRules, type SendQueue, ValueQueue } from './send-queue.js';

/** Request of a client for a registration. */
export interface RequestedOptions {
  /** Minimum time from one output to the next, in ms. */
  readonly minOutputInterval: number;
  readonly queue: QueueRules;
}

interface RegistrationOptions {
  readonly requested: RequestedOptions;
  /** Beginning of its messages. */
  readonly head: string;
  readonly sendQueue: SendQueue;
  readonly clock: Clock;
  readonly counts: EventCounts;
}

/** One event for one client. Values that come faster than its minimum interval are held back before the queue. */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #queue: ValueQueue;
  /** Value that was output last; at first the one in the response to the client. */
  #known: string;
  #outputAt: number;
  #held: string | undefined;
  #cancel: (() => void) | undefined;

  /** @param current the value in the response to the client, which counts as an output */
  constructor(options: RegistrationOptions, current: string) {
    this.#options = options;
    this.#queue = new ValueQueue(options.requested.queue, options.head);
    this.#known = current;
    this.#outputAt = options.clock.monotonic();
    options.counts.registrations++;
  }

  /** Handles a new value, as text. A value equal to the last one is not a change. */
  offer(value: string): void {
    if (value === (this.#held ?? this.#known)) return;
    const { requested, clock, counts } = this.#options;
    const remaining = this.#outputAt + requested.minOutputInterval - clock.monotonic();
    if (remaining <= 0 && this.#held === undefined) {
      this.#output(value);
      return;
    }
    if (this.#held !== undefined) counts.throttled++;
    this.#held = value;
    this.#cancel ??= clock.after(Math.max(0, remaining), () => this.#release());
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
    // The value may be back at the one that the client already has.
    if (held !== undefined && held !== this.#known) this.#output(held);
  }

  #output(value: string): void {
    this.#known = value;
    this.#outputAt = this.#options.clock.monotonic();
    this.#options.sendQueue.send(value, this.#queue);
  }
}

/** One event of the scanner, for all clients registered for it: each change is read and serialised once. */
export class Feed {
  readonly #device: Device;
  readonly #variable: Variable<unknown>;
  readonly #registrations = new Set<Registration>();
  #unfollow: (() => void) | undefined;

  constructor(device: Device, variable: Variable<unknown>) {
    this.#device = device;
    this.#variable = variable;
  }

  /** Returns the current value, as the end of a message: the same text for all clients. */
  get current(): string {
    const { name } = this.#variable;
    const data = dataOf(name, this.#device.read(this.#variable));
    return `,"status":0,"data":${JSON.stringify(data)}}`;
  }

  add(registration: Registration): void {
    this.#registrations.add(registration);
    this.#unfollow ??= this.#device.follow(this.#variable, () => this.#publish());
  }

  delete(registration: Registration): void {
    this.#registrations.delete(registration);
    if (this.#registrations.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  #publish(): void {
    const { current } = this;
    for (const registration of this.#registrations) registration.offer(current);
  }
}

/** The events of a scanner, by name. Only events whose variable exists in its edition are included. */
export class Feeds {
  readonly #device: Device;
  readonly #feeds: ReadonlyMap<string, Feed>;

  constructor(device: Device) {
    this.#device = device;
    const events = groupsOf(device.served.edition)
      .flatMap(({ members }) => Object.values(members))
      .filter((member) => member instanceof EventVariable);
    this.#feeds = new Map(events.map((variable) => [variable.name, new Feed(device, variable)]));
  }

  get names(): readonly string[] {
    return [...this.#feeds.keys()].filter((name) => this.#device.served.endpoints.has(name));
  }

  of(name: string): Feed | undefined {
    return this.#device.served.endpoints.has(name) ? this.#feeds.get(name) : undefined;
  }
}
