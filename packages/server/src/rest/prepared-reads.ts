import type { Device } from '@azimuth/device';
import { isObject, type Variable } from '@azimuth/model';
import { type JsonBody, pieceBytes } from '../http/reply.js';
import { successBody } from './envelope.js';

/** Bodies that are made for each who asks, but kept once where they are large and say the same: many may wait. */
export class SameBody {
  #last: JsonBody | undefined;

  of(body: JsonBody): JsonBody {
    if (body.length <= pieceBytes) return body;
    if (this.#last?.text !== body.text) this.#last = body;
    return this.#last;
  }
}

/**
 * What `data` holds of a variable. Devices put a struct under its name, the published description puts its members
 * beside: clients exist for both.
 */
export function dataOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return { [name]: value, ...(isObject(value) ? value : {}) };
}

/**
 * Replies to reads, ready to be sent. Those of parameters are kept from one change to the next; those that come from
 * the state of the device are made each time.
 */
export class PreparedReads {
  readonly #device: Device;
  /** By the name that was asked for: a variable's own, or an alias. */
  readonly #kept = new Map<string, JsonBody>();
  readonly #names = new Map<Variable<unknown>, Set<string>>();
  /** Of those that are made each time. */
  readonly #last = new Map<string, SameBody>();

  constructor(device: Device) {
    this.#device = device;
    device.announcements.subscribe((changed) => {
      for (const variable of changed) this.#forget(variable);
    });
    // Another release or variant may lack what this one has.
    device.lifecycle.onUp(() => {
      this.#kept.clear();
      this.#names.clear();
    });
  }

  /** The reply to a read under this name, where it was asked for since it last changed. */
  kept(name: string): JsonBody | undefined {
    return this.#kept.get(name);
  }

  /** The reply to a read of `variable` under `name`. */
  of(variable: Variable<unknown>, name: string): JsonBody {
    return this.#kept.get(name) ?? this.#make(variable, name);
  }

  #make(variable: Variable<unknown>, name: string): JsonBody {
    const value = this.#device.read(variable);
    const body = successBody({ data: dataOf(name, value) });
    if (this.#device.isComputed(variable)) return this.#likeLast(name, body);
    this.#keep(variable, name, body);
    return body;
  }

  #likeLast(name: string, body: JsonBody): JsonBody {
    if (body.length <= pieceBytes) return body;
    let last = this.#last.get(name);
    if (last === undefined) {
      last = new SameBody();
      this.#last.set(name, last);
    }
    return last.of(body);
  }

  #keep(variable: Variable<unknown>, name: string, body: JsonBody): void {
    this.#kept.set(name, body);
    const names = this.#names.get(variable);
    if (names === undefined) this.#names.set(variable, new Set([name]));
    else names.add(name);
  }

  #forget(variable: Variable<unknown>): void {
    for (const name of this.#names.get(variable) ?? []) this.#kept.delete(name);
    this.#names.delete(variable);
  }
}
