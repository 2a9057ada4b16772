import type { Device } from '@azimuth/device';
import type { Variable } from '@azimuth/model';
import { dataOf } from '../rest/prepared-reads.js';
import type { Registration } from './registration.js';
import { Tail } from './tail.js';

/** One event of the scanner, for all who are registered for it: read, and put into words, once for each change. */
export class Feed {
  readonly #device: Device;
  readonly #variable: Variable<unknown>;
  readonly #registrations = new Set<Registration>();
  #last: Tail | undefined;
  #unfollow: (() => void) | undefined;

  constructor(device: Device, variable: Variable<unknown>) {
    this.#device = device;
    this.#variable = variable;
  }

  /** The value of now. */
  get current(): Tail {
    const { name } = this.#variable;
    const data = dataOf(name, this.#device.read(this.#variable));
    const text = `,"status":0,"data":${JSON.stringify(data)}}`;
    if (this.#last?.text !== text) this.#last = new Tail(text);
    return this.#last;
  }

  add(registration: Registration): void {
    this.#registrations.add(registration);
    this.#unfollow ??= this.#device.announcements.follow(this.#variable, () => this.#tell());
  }

  delete(registration: Registration): void {
    this.#registrations.delete(registration);
    if (this.#registrations.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#last = undefined;
  }

  #tell(): void {
    const { current } = this;
    for (const registration of this.#registrations) registration.offer(current);
  }
}
