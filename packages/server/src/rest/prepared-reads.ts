import type { Device } from '@azimuth/device';
import { isObject, type Variable } from '@azimuth/model';
import { successBody } from './envelope.js';

/**
 * Replies to reads, as bytes. Those of parameters are kept from one change to the next; those that come from the
 * state of the device are made each time.
 */
export class PreparedReads {
  readonly #device: Device;
  readonly #bodies = new Map<Variable<unknown>, Map<string, Buffer>>();

  constructor(device: Device) {
    this.#device = device;
    device.announcements.subscribe((changed) => {
      for (const variable of changed) this.#bodies.delete(variable);
    });
  }

  /** The reply to a read of `variable` under `name`, which is its own or an alias. */
  of(variable: Variable<unknown>, name: string): Buffer {
    if (this.#device.isComputed(variable)) return this.#make(variable, name);
    let bodies = this.#bodies.get(variable);
    if (bodies === undefined) {
      bodies = new Map();
      this.#bodies.set(variable, bodies);
    }
    let body = bodies.get(name);
    if (body === undefined) {
      body = this.#make(variable, name);
      bodies.set(name, body);
    }
    return body;
  }

  #make(variable: Variable<unknown>, name: string): Buffer {
    const value = this.#device.read(variable);
    // Devices put a struct under its name, the published description puts its members beside: clients exist for both.
    return successBody({ data: { [name]: value, ...(isObject(value) ? value : {}) } });
  }
}
