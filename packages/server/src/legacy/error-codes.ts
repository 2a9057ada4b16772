import { Fault, type Status, TokenFault } from '@azimuth/model';
import { type LegacyErrorName, legacyErrors } from '@azimuth/telegrams/legacy';

/** The requests by name. */
export type RequestWord = 'sRN' | 'sWN' | 'sMN' | 'sEN';

/** A request that is refused with a code of the legacy protocol. */
export class LegacyRefusal extends Error {
  override readonly name = 'LegacyRefusal';

  constructor(readonly error: LegacyErrorName) {
    super(error);
  }
}

/** The error that a status of the interface is told by, where it is the same for all requests. */
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

/** What nothing is known by the name of. */
const unknownName: Readonly<Record<RequestWord, LegacyErrorName>> = {
  sRN: 'unknownVariable',
  sWN: 'unknownVariable',
  sMN: 'unknownMethod',
  sEN: 'unknownEvent',
};

/** The error that tells why a request was refused; undefined for what is a mistake of ours, and no refusal. */
export function errorOf(error: unknown, request: RequestWord): LegacyErrorName | undefined {
  if (error instanceof LegacyRefusal) return error.error;
  if (!(error instanceof Fault)) return undefined;
  if (error instanceof TokenFault) {
    return error.wrong === 'character' ? 'textInvalidCharacter' : 'textValueOverflow';
  }
  if (error.status === 'accessDenied') {
    return request === 'sMN' ? 'methodAccessDenied' : 'writeAccessDenied';
  }
  return error.status === 'notFound' ? unknownName[request] : ofStatus[error.status];
}

export function codeOf(error: LegacyErrorName): number {
  return legacyErrors[error];
}
