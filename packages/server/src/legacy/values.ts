import {
  BinaryReader,
  BinaryWriter,
  Refusal,
  type Status,
  TextReader,
  TextWriter,
  TokenRefusal,
  type ValueType,
} from '@azimuth/model';
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
  legacyErrors,
  type RequestWord,
} from '@azimuth/telegrams/legacy';

/** Values of a request, read one after the other, in either encoding. */
export interface Values {
  readonly atEnd: boolean;
  /** @throws Refusal as the type does */
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
      return reader.atEnd;
    },
    read: (type, at) => type.fromBinary(reader, at),
  };
}

/** @throws LegacyRefusal if values are left over. */
export function expectEnd(values: Values): void {
  if (!values.atEnd) throw new LegacyRefusal('bufferOverflow');
}

/**
 * Returns a framed telegram with one value or none. Without a value, text ends with the name, and binary with a blank
 * after it.
 */
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
    return pooled(frameText(commandText(word, name, out.written())));
  }
  const out = new BinaryWriter();
  if (type !== undefined && value !== undefined) type.toBinary(value, out);
  return pooled(frameBinary(commandBinary(word, name, out.written())));
}

/** Returns a framed telegram that ends with its name, in binary too. */
export function bareTelegram(framing: Framing, word: CommandWord, name: string): Uint8Array {
  return pooled(
    framing === 'text' ? frameText(commandText(word, name)) : frameBinary(commandBinary(word, name)),
  );
}

export function errorTelegram(framing: Framing, error: LegacyErrorName): Uint8Array {
  return errorCodeTelegram(framing, codeOf(error));
}

/** Returns a framed telegram with an error code. */
export function errorCodeTelegram(framing: Framing, code: number): Uint8Array {
  return pooled(framing === 'text' ? frameText(errorText(code)) : frameBinary(errorBinary(code)));
}

/** Copies small arrays: sending a small Uint8Array costs a socket more than copying it into a Buffer. */
function pooled(frame: Uint8Array): Buffer {
  return Buffer.from(frame);
}

/** Error for a request that is refused with a code of the legacy protocol. */
export class LegacyRefusal extends Error {
  override readonly name = 'LegacyRefusal';

  constructor(readonly error: LegacyErrorName) {
    super(error);
  }
}

/** Legacy error of each status, except those whose error depends on the request. */
const ofStatus: Readonly<Record<Exclude<Status, 'accessDenied' | 'notFound'>, LegacyErrorName>> = {
  ok: 'unknownError',
  parsingFailed: 'bufferUnderflow',
  invalidData: 'invalidData',
  internalServerError: 'internal',
  outOfRange: 'localConditionFailed',
  outOfBounds: 'arrayOutOfBounds',
  readOnly: 'writeAccessDenied',
  illegalValue: 'localConditionFailed',
  invalidChallenge: 'methodAccessDenied',
  outOfConnections: 'methodBusy',
};

/** Returns the error for an unknown name. */
const unknownName: Readonly<Record<RequestWord, LegacyErrorName>> = {
  sRN: 'unknownVariable',
  sWN: 'unknownVariable',
  sMN: 'unknownMethod',
  sEN: 'unknownEvent',
};

/** Returns the legacy error of a refusal; undefined for an internal error. */
export function errorOf(error: unknown, request: RequestWord): LegacyErrorName | undefined {
  if (error instanceof LegacyRefusal) return error.error;
  if (!(error instanceof Refusal)) return undefined;
  if (error instanceof TokenRefusal) {
    return error.wrong === 'character' ? 'textInvalidCharacter' : 'textValueOverflow';
  }
  if (error.status === 'accessDenied') {
    return request === 'sMN' ? 'methodAccessDenied' : 'writeAccessDenied';
  }
  return error.status === 'notFound' ? unknownName[request] : ofStatus[error.status];
}

function codeOf(error: LegacyErrorName): number {
  return legacyErrors[error];
}

/** The response, and the actions that follow it. */
export interface Outcome {
  readonly frame: Uint8Array;
  readonly error?: LegacyErrorName;
  /** Called when the response has been sent, before anything else is sent. */
  readonly next?: () => void;
  /** Called when the system has accepted the response, or after 100 ms. */
  readonly afterwards?: () => void;
}
