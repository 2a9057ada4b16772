import type { Device } from '@azimuth/device';
import type { LegacyNames, Named } from '@azimuth/device/legacy';
import type { ValueType, Variable } from '@azimuth/model';
import type { Framing } from '@azimuth/telegrams/legacy';
import { LegacyRefusal, telegramOf } from './values.js';

/** A variable, for reading and following. */
interface Readable {
  readonly type: ValueType<unknown>;
  readonly read: () => unknown;
  /** Variables that its value depends on. */
  readonly from: readonly Variable<unknown>[];
  /** Part that must change for an event; any change if undefined. */
  readonly eventPart?: () => string;
  /** True if its value depends on parameters only. */
  readonly isCacheable: boolean;
}

/** Values of variables as telegrams. Responses that depend on parameters only are cached until a parameter changes. */
export class Reading {
  readonly #device: Device;
  readonly #names: LegacyNames;
  readonly #cache: Readonly<Record<Framing, Map<string, Uint8Array>>> = {
    text: new Map(),
    binary: new Map(),
  };

  constructor(device: Device, names: LegacyNames) {
    this.#device = device;
    this.#names = names;
    const forget = () => {
      // Skips empty maps: `clear` allocates memory, and this runs at every write.
      for (const frames of [this.#cache.text, this.#cache.binary]) if (frames.size > 0) frames.clear();
    };
    device.announcements.subscribe((changed) => {
      if (changed.some((variable) => device.parameters.has(variable))) forget();
    });
  }

  /** Returns the response to `sRN name`. @throws LegacyRefusal if no variable has this name */
  responseTo(name: string, framing: Framing): Uint8Array {
    const cached = this.#cache[framing].get(name);
    if (cached !== undefined) return cached;
    const readable = this.#readable(this.#names.find(name));
    if (readable === undefined) throw new LegacyRefusal('unknownVariable');
    const frame = telegramOf(framing, 'sRA', name, readable.type, readable.read());
    if (readable.isCacheable) this.#cache[framing].set(name, frame);
    return frame;
  }

  /**
   * Calls `changed` after each change of a variable, until it is stopped.
   * @throws LegacyRefusal for a name that is neither a variable nor an event
   */
  follow(name: string, changed: () => void): () => void {
    const named = this.#names.find(name);
    if (named?.kind === 'event') return () => undefined;
    const readable = this.#readable(named);
    if (readable === undefined) throw new LegacyRefusal('unknownEvent');
    const notify = readable.eventPart === undefined ? changed : onChangeOf(readable.eventPart, changed);
    const stops = readable.from.map((variable) => this.#device.follow(variable, notify));
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Returns the event telegram of a variable, with its present value. */
  event(name: string, framing: Framing): Uint8Array | undefined {
    const readable = this.#readable(this.#names.find(name));
    if (readable === undefined) return undefined;
    return telegramOf(framing, 'sSN', name, readable.type, readable.read());
  }

  #readable(named: Named | undefined): Readable | undefined {
    const device = this.#device;
    if (named?.kind === 'variable') {
      const { type, read, from, eventPart } = named;
      return {
        type,
        read: () => read(device),
        from,
        eventPart: eventPart === undefined ? undefined : () => eventPart(device),
        isCacheable: false,
      };
    }
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'variable') return undefined;
    const variable = named.endpoint;
    return {
      type: variable.type,
      read: () => device.read(variable),
      from: [variable],
      isCacheable: device.parameters.has(variable),
    };
  }
}

/**
 * Notifies of a change if this part differs from its last value. Values that advance with every scan are not compared.
 */
function onChangeOf(part: () => string, changed: () => void): (isRoutine: boolean) => void {
  let last = part();
  return (isRoutine) => {
    if (isRoutine) return;
    const now = part();
    if (now === last) return;
    last = now;
    changed();
  };
}
