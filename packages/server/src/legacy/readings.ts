import type { Device } from '@azimuth/device';
import { type Customary, customaryNamesOf } from '@azimuth/device/legacy';
import type { Endpoint, ValueType, Variable } from '@azimuth/model';
import type { Framing } from '@azimuth/telegrams/legacy';
import { LegacyRefusal, telegramOf } from './values.js';

/** The meaning of a name in the legacy protocol. */
export type Named =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly withoutValues?: object }
  | Exclude<Customary, { readonly kind: 'alias' }>;

/** What the names mean that a scanner knows over the legacy protocol: those of its interface, then the customary ones. */
export class Names {
  readonly #device: Device;
  #customary: ReadonlyMap<string, Customary>;

  constructor(device: Device) {
    this.#device = device;
    this.#customary = customaryNamesOf(device.edition);
    // An update may have made it another release.
    device.lifecycle.onUp(() => {
      this.#customary = customaryNamesOf(device.edition);
    });
  }

  find(name: string): Named | undefined {
    const endpoint = this.#device.endpoints.get(name);
    if (endpoint !== undefined) return { kind: 'endpoint', endpoint };
    const customary = this.#customary.get(name);
    if (customary?.kind !== 'alias') return customary;
    const { withoutValues } = customary;
    return {
      kind: 'endpoint',
      endpoint: customary.endpoint,
      ...(withoutValues === undefined ? {} : { withoutValues }),
    };
  }
}

/** A variable, for reading and following. */
interface Readable {
  readonly type: ValueType<unknown>;
  readonly read: () => unknown;
  /** The variables whose changes change this one. */
  readonly from: readonly Variable<unknown>[];
  /** The part that must change for an event; any change if undefined. */
  readonly eventPart?: () => string;
  /** Does its value depend on parameters only? */
  readonly isKept: boolean;
}

/** Values of variables as telegrams. Answers made of parameters are kept from one change of parameters to the next. */
export class Reading {
  readonly #device: Device;
  readonly #names: Names;
  readonly #kept: Readonly<Record<Framing, Map<string, Uint8Array>>> = { text: new Map(), binary: new Map() };

  constructor(device: Device, names: Names) {
    this.#device = device;
    this.#names = names;
    const forget = () => {
      this.#kept.text.clear();
      this.#kept.binary.clear();
    };
    device.announcements.subscribe((changed) => {
      if (changed.some((variable) => device.parameters.has(variable))) forget();
    });
  }

  /**
   * The answer to `sRN name`.
   * @throws LegacyRefusal for a name that no variable has.
   */
  answer(name: string, framing: Framing): Uint8Array {
    const kept = this.#kept[framing].get(name);
    if (kept !== undefined) return kept;
    const readable = this.#readable(this.#names.find(name));
    if (readable === undefined) throw new LegacyRefusal('unknownVariable');
    const frame = telegramOf(framing, 'sRA', name, readable.type, readable.read());
    if (readable.isKept) this.#kept[framing].set(name, frame);
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
    const heard = readable.eventPart === undefined ? changed : onChangeOf(readable.eventPart, changed);
    const stops = readable.from.map((variable) => this.#device.announcements.follow(variable, heard));
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** The telegram of a change of a variable, with its present value. */
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
        ...(eventPart === undefined ? {} : { eventPart: () => eventPart(device) }),
        isKept: false,
      };
    }
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'variable') return undefined;
    const variable = named.endpoint;
    return {
      type: variable.type,
      read: () => device.read(variable),
      from: [variable],
      isKept: !device.isComputed(variable),
    };
  }
}

/**
 * Notifies of a change if this part differs from its last value. Values that advance with every scan are not compared.
 */
function onChangeOf(part: () => string, changed: () => void): (goesOn: boolean) => void {
  let last = part();
  return (goesOn) => {
    if (goesOn) return;
    const now = part();
    if (now === last) return;
    last = now;
    changed();
  };
}
