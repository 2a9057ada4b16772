import { BinaryReader, BinaryWriter, TextReader, TextWriter, type ValueType } from '@azimuth/model';
import {
  type CommandWord,
  charactersOf,
  commandBinary,
  commandText,
  errorBinary,
  errorText,
  type Framing,
  frameBinary,
  frameText,
  type LegacyErrorName,
} from '@azimuth/telegrams/legacy';
import { codeOf, LegacyRefusal } from './error-codes.js';

/** The values of a request, read one after the other, in either encoding. */
export interface Values {
  readonly atEnd: boolean;
  /** @throws Fault as the type does. */
  read<T>(type: ValueType<T>, at: string): T;
}

export function valuesOf(framing: Framing, payload: Uint8Array): Values {
  if (framing === 'text') {
    const reader = new TextReader(charactersOf(payload));
    return {
      get atEnd() {
        return reader.atEnd;
      },
      read: (type, at) => type.fromText(reader, at),
    };
  }
  const reader = new BinaryReader(payload);
  return {
    get atEnd() {
      return reader.remaining === 0;
    },
    read: (type, at) => type.fromBinary(reader, at),
  };
}

/** @throws LegacyRefusal where values are left over. */
export function expectEnd(values: Values): void {
  if (!values.atEnd) throw new LegacyRefusal('bufferOverflow');
}

/** A framed telegram with one value, or with none: then text ends with the name, and binary with a blank behind it. */
export function telegramOf<T>(
  framing: Framing,
  word: CommandWord,
  name: string,
  type?: ValueType<T>,
  value?: NoInfer<T>,
): Uint8Array {
  if (framing === 'text') {
    const out = new TextWriter();
    if (type !== undefined && value !== undefined) type.toText(value, out);
    return pooled(frameText(commandText(word, name, out.take())));
  }
  const out = new BinaryWriter();
  if (type !== undefined && value !== undefined) type.toBinary(value, out);
  return pooled(frameBinary(commandBinary(word, name, out.take())));
}

export function errorTelegram(framing: Framing, error: LegacyErrorName): Uint8Array {
  const code = codeOf(error);
  return pooled(framing === 'text' ? frameText(errorText(code)) : frameBinary(errorBinary(code)));
}

/** A small array of bytes costs a socket more than its copy in a Buffer. */
function pooled(frame: Uint8Array): Buffer {
  return Buffer.from(frame);
}
