import { errorName, type LegacyErrorName } from '@azimuth/telegrams/legacy';
import { ClientError } from '../errors.js';

/** What the codes mean, for a person. */
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

/** The scanner answered with an error (`sFA`). */
export class LegacyError extends ClientError {
  override readonly name = 'LegacyError';
  /** The name of the code; undefined for an unknown code. */
  readonly errorName: LegacyErrorName | undefined;

  /**
   * @param endpoint the variable, method or event that was asked for
   * @param code the number behind `sFA`
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
