/** @packageDocumentation @internal */

export {
  type CommandWord,
  commandBinary,
  commandText,
  commandWords,
  errorBinary,
  errorCodeOf,
  errorName,
  errorText,
  isRequestWord,
  type LegacyCommand,
  type LegacyErrorName,
  legacyErrorNames,
  legacyErrors,
  parseCommand,
  type RequestWord,
  responseWords,
} from './command.js';
export {
  type BrokenFrame,
  bytesOfCharacters,
  charactersOf,
  type Framing,
  frameBinary,
  frameText,
  type LegacyTelegram,
} from './framing.js';
export { LegacySplitter } from './legacy-splitter.js';
export { decodeLmdBinary, encodeLmdBinary } from './lmdscandata/binary.js';
export {
  type LmdBits,
  type LmdChannel,
  type LmdEncoder,
  type LmdEvent,
  type LmdHead,
  type LmdPosition,
  type LmdScan,
  type LmdTime,
  lmdName,
} from './lmdscandata/scan.js';
export { decodeLmdText, encodeLmdText } from './lmdscandata/text.js';
