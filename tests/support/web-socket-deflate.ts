import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** What both sides have agreed on for permessage-deflate: RFC 7692 §7.1. */
export interface Deflate {
  readonly serverTakeover: boolean;
  readonly clientTakeover: boolean;
  /** 8 to 15. */
  readonly serverWindowBits: number;
  readonly clientWindowBits: number;
}

/** Four bytes that every message ends in, and that are not sent: RFC 7692 §7.2.1. */
const tail = Buffer.of(0, 0, 0xff, 0xff);

/** Reads the answer of a server; undefined where it has not agreed. Throws on what RFC 7692 does not know. */
export function agreed(extensions: string | undefined): Deflate | undefined {
  if (extensions === undefined) return undefined;
  const [name, ...parameters] = extensions.split(';').map((part) => part.trim());
  if (name !== 'permessage-deflate') throw new Error(`an extension that nobody asked for: ${extensions}`);
  const values = new Map(
    parameters.map((parameter): [string, string] => {
      const [key = '', value = ''] = parameter.split('=');
      return [key, value.replaceAll('"', '')];
    }),
  );
  const strange = [...values.keys()].filter(
    (key) => !/^(?:server|client)_(?:no_context_takeover|max_window_bits)$/.test(key),
  );
  if (strange.length > 0 || values.size < parameters.length) throw new Error(`not RFC 7692: ${extensions}`);
  const bits = (key: string) => {
    const value = Number(values.get(key) ?? 15);
    if (!Number.isInteger(value) || value < 8 || value > 15) throw new Error(`${key}: ${values.get(key)}`);
    return value;
  };
  return {
    serverTakeover: !values.has('server_no_context_takeover'),
    clientTakeover: !values.has('client_no_context_takeover'),
    serverWindowBits: bits('server_max_window_bits'),
    clientWindowBits: bits('client_max_window_bits'),
  };
}

/** Inflates the messages of one connection, each with what the ones before left, where that was agreed. */
export class Inflater {
  #window: Buffer = Buffer.alloc(0);

  constructor(
    readonly takeover: boolean,
    readonly windowBits = 15,
  ) {}

  inflate(payload: Buffer): Buffer {
    const message = inflateRawSync(Buffer.concat([payload, tail]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      windowBits: this.windowBits,
      // zlib minds the window only where it looks back beyond the piece of output at hand.
      ...(this.windowBits < 15 ? { chunkSize: 64 } : {}),
      ...(this.#window.length === 0 ? {} : { dictionary: this.#window }),
    });
    if (this.takeover)
      this.#window = Buffer.concat([this.#window, message]).subarray(-(2 ** this.windowBits));
    return message;
  }
}

/** A message by itself, without what came before: any server has to read that. */
export function deflated(payload: Buffer, windowBits = 15): Buffer {
  // zlib has no raw window of 8 bits.
  const whole = deflateRawSync(payload, {
    finishFlush: constants.Z_SYNC_FLUSH,
    windowBits: Math.max(9, windowBits),
  });
  return whole.subarray(0, -tail.length);
}
