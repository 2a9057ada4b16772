import type { Device } from '@azimuth/device';
import { named, Watch } from './watch.js';

/** The watches that somebody listens to: one for all who watch the same. */
export class Watches {
  readonly #device: Device;
  readonly #byNames = new Map<string, Watch>();

  constructor(device: Device) {
    this.#device = device;
  }

  get size(): number {
    return this.#byNames.size;
  }

  /** Those of `names` that no variable has that can be read. */
  unknown(names: readonly string[]): readonly string[] {
    return names.filter((name) => named(this.#device, name) === undefined);
  }

  /** The watch of these variables; without names that of all. It is forgotten when its last listener has gone. */
  of(names: readonly string[]): Watch {
    const key = [...new Set(names)].sort().join();
    const watch = this.#byNames.get(key) ?? this.#make(names, key);
    this.#byNames.set(key, watch);
    return watch;
  }

  #make(names: readonly string[], key: string): Watch {
    const variables =
      names.length === 0 ? undefined : new Set(names.flatMap((name) => named(this.#device, name) ?? []));
    return new Watch(this.#device, variables, () => this.#byNames.delete(key));
  }
}
