import { BinaryReader, BinaryWriter, Fault, TextReader, TextWriter, type ValueType } from '@azimuth/model';
import { bytesOfCharacters, charactersOf, type Framing } from '@azimuth/telegrams/legacy';
import { AnswerError } from '../errors.js';

/** A value as it stands behind a name. */
export function encoded<T>(framing: Framing, type: ValueType<T>, value: T): Uint8Array {
  if (framing === 'text') {
    const out = new TextWriter();
    type.toText(value, out);
    return bytesOfCharacters(out.take());
  }
  const out = new BinaryWriter();
  type.toBinary(value, out);
  return out.take();
}

/** A value that came, and where it came from. */
export interface Came {
  readonly url: string;
  /** The variable or method. */
  readonly endpoint: string;
  readonly framing: Framing;
  readonly payload: Uint8Array;
}

/**
 * The value of a type that came in an answer or an event. What follows it is passed over: newer releases may have more to
 * tell.
 * @throws AnswerError where it is none of that type.
 */
export function decoded<T>({ url, endpoint, framing, payload }: Came, type: ValueType<T>): T {
  try {
    return framing === 'text'
      ? type.fromText(new TextReader(charactersOf(payload)), endpoint)
      : type.fromBinary(new BinaryReader(payload), endpoint);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new AnswerError(url, endpoint, `a value that the interface does not allow (${error.message})`);
  }
}
