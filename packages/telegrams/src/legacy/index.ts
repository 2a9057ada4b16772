export { decodeLmdBinary } from '../lmdscandata/decode-binary.js';
export { decodeLmdText } from '../lmdscandata/decode-text.js';
export { encodeLmdBinary } from '../lmdscandata/encode-binary.js';
export { encodeLmdText } from '../lmdscandata/encode-text.js';
export * from '../lmdscandata/lmd-scan.js';
export { bytesOfCharacters, charactersOf } from './byte-text.js';
export {
  answerWords,
  type CommandWord,
  commandBinary,
  commandText,
  commandWords,
  type LegacyCommand,
  parseCommand,
} from './command.js';
export { type BrokenFrame, type Framing, frameBinary, frameText, type LegacyTelegram } from './framing.js';
export {
  errorBinary,
  errorCodeOf,
  errorName,
  errorText,
  type LegacyErrorName,
  legacyErrors,
} from './legacy-error.js';
export { LegacySplitter } from './legacy-splitter.js';
