import { BinaryReader, BinaryWriter, Refusal, TextReader, TextWriter, type ValueType } from '../src/index.js';

/** Returns the legacy text of a value. */
export function textOf<T>(type: ValueType<T>, value: T): string {
  const out = new TextWriter();
  type.toText(value, out);
  return out.written();
}

/** Returns the value that a legacy text stands for. The complete text has to be used up. */
export function fromText<T>(type: ValueType<T>, text: string): T {
  const input = new TextReader(text);
  const value = type.fromText(input, 'X');
  if (!input.atEnd) throw new Error(`text is left over in "${text}"`);
  return value;
}

/** Returns the legacy binary encoding of a value as hex, a blank between bytes. */
export function hexOf<T>(type: ValueType<T>, value: T): string {
  const out = new BinaryWriter();
  type.toBinary(value, out);
  return [...out.written()].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** Returns the value that bytes, written as hex, stand for. All of them have to be used up. */
export function fromHex<T>(type: ValueType<T>, hex: string): T {
  const bytes = hex.split(/\s+/).filter((byte) => byte !== '');
  const input = new BinaryReader(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  const value = type.fromBinary(input, 'X');
  if (input.remaining > 0) throw new Error(`${input.remaining} bytes are left over`);
  return value;
}

/** Returns the status and the place of the refusal that an act ends in, as `6 X[2]`. */
export function faultOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} ${error.at}`.trimEnd();
    throw error;
  }
  return 'no fault';
}

/** Returns the result for a JSON value: the refusal as `6 X[2]`. */
export function jsonFault<T>(type: ValueType<T>, json: unknown): string {
  return faultOf(() => type.fromJson(json, 'X'));
}
