import {
  BinaryReader,
  BinaryWriter,
  type LoginLevel,
  levels,
  Refusal,
  TextReader,
  TextWriter,
  type ValueType,
} from '@azimuth/model';
import {
  bytesOfCharacters,
  charactersOf,
  commandBinary,
  commandText,
  errorName,
  type Framing,
  frameBinary,
  frameText,
  isRequestWord,
  type LegacyErrorName,
  parseCommand,
  type RequestWord,
} from '@azimuth/telegrams/legacy';
import { legacyPasswordHash } from '../authentication.js';
import { AnswerError, ClientError } from '../errors.js';

/** A request with its frame. */
export interface Request {
  readonly command: RequestWord;
  readonly name: string;
  readonly frame: Uint8Array;
}

/** Makes a request by name, with the encoded values after the name. */
export function request(framing: Framing, command: RequestWord, name: string, values?: Uint8Array): Request {
  const frame =
    framing === 'text'
      ? frameText(commandText(command, name, values === undefined ? '' : charactersOf(values)))
      : frameBinary(commandBinary(command, name, values));
  return { command, name, frame };
}

/**
 * Makes a request from a telegram without its frame.
 * @throws TypeError if it is not a request by name, RangeError for a text that cannot be framed.
 */
export function requestFromTelegram(framing: Framing, telegram: string | Uint8Array): Request {
  const payload = typeof telegram === 'string' ? bytesOfCharacters(telegram) : telegram;
  const command = parseCommand({ framing, payload });
  if (command === undefined || !isRequestWord(command.command) || command.name === '') {
    const start = charactersOf(payload.subarray(0, 40));
    throw new TypeError(`expected sRN, sWN, sMN or sEN with a name, got "${start}"`);
  }
  const frame = framing === 'text' ? frameText(payload) : frameBinary(payload);
  return { command: command.command, name: command.name, frame };
}

/** Encodes a value for the part after the name. */
export function encoded<T>(framing: Framing, type: ValueType<T>, value: T): Uint8Array {
  if (framing === 'text') {
    const out = new TextWriter();
    type.toText(value, out);
    return bytesOfCharacters(out.written());
  }
  const out = new BinaryWriter();
  type.toBinary(value, out);
  return out.written();
}

/** An encoded value, and the endpoint that it belongs to. */
interface ReceivedValue {
  readonly url: string;
  /** The variable or method. */
  readonly endpoint: string;
  readonly framing: Framing;
  readonly payload: Uint8Array;
}

/**
 * Decodes the value of a response or an event. Bytes after it are ignored: newer releases may send more.
 * @throws AnswerError if it is not of that type.
 */
export function decoded<T>({ url, endpoint, framing, payload }: ReceivedValue, type: ValueType<T>): T {
  try {
    return framing === 'text'
      ? type.fromText(new TextReader(charactersOf(payload)), endpoint)
      : type.fromBinary(new BinaryReader(payload), endpoint);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new AnswerError(url, endpoint, `a value that the interface does not allow (${error.message})`);
  }
}

/**
 * Encodes level and password hash for SetAccessMode and CheckPassword.
 * @param password the password, or its hash (uint32)
 * @throws RangeError for a hash that is not a uint32
 */
export function legacyCredentials(
  framing: Framing,
  level: LoginLevel,
  password: string | number,
): Uint8Array {
  const hash = typeof password === 'string' ? legacyPasswordHash(password) : password;
  if (!Number.isInteger(hash) || hash < 0 || hash > 0xffffffff) {
    throw new RangeError('expected a hash of 32 bits, got another number');
  }
  const number = levels[level];
  if (framing === 'text') {
    // All eight digits, as clients of this family write it.
    return bytesOfCharacters(`${number} ${hash.toString(16).toUpperCase().padStart(8, '0')}`);
  }
  const bytes = new Uint8Array(5);
  bytes[0] = number;
  new DataView(bytes.buffer).setUint32(1, hash);
  return bytes;
}

/** Meaning of the error codes, for a person. */
const meanings: Readonly<Record<LegacyErrorName, string>> = {
  methodAccessDenied: 'the user level does not allow this call',
  unknownMethod: 'the scanner knows no such method',
  unknownVariable: 'the scanner knows no such variable',
  localConditionFailed: 'the value is out of its range, or a condition does not hold',
  invalidData: 'the scanner does not accept this value',
  unknownError: 'the scanner gives no reason',
  bufferOverflow: 'more values than expected',
  bufferUnderflow: 'a value is missing',
  unknownType: 'the scanner does not know the type',
  writeAccessDenied: 'read-only, or the user level does not allow to write it',
  unknownNameServerCommand: 'the scanner knows nothing by index',
  unknownCommand: 'the scanner knows no such command',
  methodBusy: 'the method is busy, try again later',
  arrayOutOfBounds: 'too many items, or too few',
  unknownEvent: 'the scanner knows no such event',
  textValueOverflow: 'the number is too large for its type',
  textInvalidCharacter: 'a character that a value must not contain',
  noMessage: 'the scanner got no message',
  noAnswerMessage: 'the scanner has no answer',
  internal: 'the scanner failed, or cannot do this now',
  hubAddressCorrupted: 'the hub address is damaged',
  hubAddressDecoding: 'the hub address cannot be read',
  hubAddressExceeded: 'the hub address is too long',
  hubBlankExpected: 'a blank is missing after the hub address',
  asyncMethodsSuppressed: 'asynchronous methods are switched off',
  complexArraysUnsupported: 'the scanner does not support such arrays',
};

/** The scanner responded with an error (`sFA`). */
export class LegacyError extends ClientError {
  override readonly name = 'LegacyError';
  /** The name of the code; undefined for an unknown code. */
  readonly errorName: LegacyErrorName | undefined;

  /**
   * @param endpoint the requested variable, method or event
   * @param code the number after `sFA`
   */
  constructor(
    readonly endpoint: string,
    readonly code: number,
  ) {
    const errorNamed = errorName(code);
    const meaning = errorNamed === undefined ? 'an unknown error' : meanings[errorNamed];
    super(`${endpoint}: ${meaning} (sFA ${code.toString(16).toUpperCase()})`);
    this.errorName = errorNamed;
  }
}
