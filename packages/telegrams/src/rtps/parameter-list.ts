import { TelegramError } from '../telegram-error.js';
import { ByteCursor } from './byte-cursor.js';

/** The supported identifiers of parameters (DDSI-RTPS 2.5 §9.6.3 and §9.6.4). */
export const parameterId = {
  sentinel: 0x0001,
  participantLeaseDuration: 0x0002,
  topicName: 0x0005,
  typeName: 0x0007,
  protocolVersion: 0x0015,
  vendorId: 0x0016,
  reliability: 0x001a,
  liveliness: 0x001b,
  durability: 0x001d,
  ownership: 0x001f,
  presentation: 0x0021,
  deadline: 0x0023,
  destinationOrder: 0x0025,
  partition: 0x0029,
  userData: 0x002c,
  unicastLocator: 0x002f,
  defaultUnicastLocator: 0x0031,
  metatrafficUnicastLocator: 0x0032,
  metatrafficMulticastLocator: 0x0033,
  history: 0x0040,
  domainId: 0x000f,
  domainTag: 0x0014,
  participantGuid: 0x0050,
  builtinEndpointSet: 0x0058,
  endpointGuid: 0x005a,
  entityName: 0x0062,
  keyHash: 0x0070,
  statusInfo: 0x0071,
  dataRepresentation: 0x0073,
} as const;

/** Bit of a parameter that its reader must understand. Other unknown parameters are ignored. */
export const mustUnderstand = 0x4000;

/** The first four bytes of a payload that is a parameter list: its encoding, and no options. */
const parameterListEncoding = { bigEndian: 0x0002, littleEndian: 0x0003 } as const;

/** Largest number of parameters of a list. Participants send a few dozen. */
const mostParameters = 256;

/**
 * Reads the parameters of a list up to its end (sentinel):
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u16 | identifier; bit 0x4000: must be understood |
 * | 2 | u16 | length n, a multiple of 4 |
 * | 4 | n bytes | value |
 *
 * A parameter may occur several times. The values are parts of the bytes of the cursor.
 * @throws TelegramError if the list is cut off or has more than 256 parameters
 */
export function readParameters(cursor: ByteCursor): ReadonlyMap<number, readonly Uint8Array[]> {
  const parameters = new Map<number, Uint8Array[]>();
  for (let count = 0; count <= mostParameters; count++) {
    const id = cursor.u16() & ~mustUnderstand;
    const length = cursor.u16();
    if (id === parameterId.sentinel) return parameters;
    const value = cursor.part(length);
    const values = parameters.get(id);
    if (values === undefined) parameters.set(id, [value]);
    else values.push(value);
  }
  throw new TelegramError(`at most ${mostParameters} parameters`, 'more', cursor.at);
}

/** The parameters of a payload, with readers of their values. */
export class ParameterList {
  readonly #parameters: ReadonlyMap<number, readonly Uint8Array[]>;
  readonly #little: boolean;

  /** @throws TelegramError if the payload is not a parameter list */
  constructor(payload: Uint8Array) {
    const head = new ByteCursor(payload, false);
    const encoding = head.u16();
    const { bigEndian, littleEndian } = parameterListEncoding;
    if (encoding !== bigEndian && encoding !== littleEndian) {
      throw new TelegramError('a parameter list', `encoding ${encoding}`, 0);
    }
    this.#little = encoding === littleEndian;
    head.u16();
    this.#parameters = readParameters(new ByteCursor(payload.subarray(head.at), this.#little));
  }

  /** Returns the value of a parameter; undefined if it is missing. */
  value(id: number): ByteCursor | undefined {
    return this.values(id)[0];
  }

  /** All values of a parameter. */
  values(id: number): readonly ByteCursor[] {
    return (this.#parameters.get(id) ?? []).map((value) => new ByteCursor(value, this.#little));
  }

  /** @throws TelegramError if it is missing, or is not a text */
  text(id: number): string | undefined {
    const value = this.value(id);
    return value === undefined ? undefined : textIn(value);
  }
}

const utf8 = new TextDecoder();

/** Reads a string of CDR: u32 length with the zero at its end, then its bytes in UTF-8. */
export function textIn(cursor: ByteCursor): string {
  const bytes = cursor.part(cursor.u32());
  return utf8.decode(bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes);
}

const encoder = new TextEncoder();

/** Writes a parameter list as a payload, little-endian. */
export class ParameterWriter {
  #bytes = new Uint8Array(512);
  #view = new DataView(this.#bytes.buffer);
  #at = 4;

  constructor() {
    this.#view.setUint16(0, parameterListEncoding.littleEndian);
  }

  add(id: number, value: Uint8Array): this {
    const padded = (value.length + 3) & ~3;
    this.#head(id, padded);
    this.#bytes.set(value, this.#at);
    this.#at += padded;
    return this;
  }

  /** Adds a value of whole numbers of 32 bits. */
  words(id: number, ...words: readonly number[]): this {
    this.#head(id, 4 * words.length);
    for (const word of words) {
      this.#view.setInt32(this.#at, word, true);
      this.#at += 4;
    }
    return this;
  }

  text(id: number, text: string): this {
    return this.add(id, lengthAndBytes(encoder.encode(`${text}\0`)));
  }

  octets(id: number, text: string): this {
    return this.add(id, lengthAndBytes(encoder.encode(text)));
  }

  /** Returns the complete payload. */
  end(): Uint8Array {
    this.#head(parameterId.sentinel, 0);
    return this.#bytes.slice(0, this.#at);
  }

  #head(id: number, length: number): void {
    const needed = this.#at + 4 + length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#view.setUint16(this.#at, id, true);
    this.#view.setUint16(this.#at + 2, length, true);
    this.#at += 4;
  }
}

function lengthAndBytes(content: Uint8Array): Uint8Array {
  const value = new Uint8Array(4 + content.length);
  new DataView(value.buffer).setUint32(0, content.length, true);
  value.set(content, 4);
  return value;
}
