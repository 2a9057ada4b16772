export { credentials, hash1, type Login } from './authentication.js';
export type { ConnectionOptions, Fetch } from './connection.js';
export {
  encryptedMessage,
  type FreshBytes,
  freshBytes,
  type PasswordChange,
} from './encrypted-message.js';
export {
  AnswerError,
  ClientError,
  PasswordMissingError,
  RateLimitError,
  ResultError,
  ScannerError,
  UnreachableError,
} from './errors.js';
export { legacyPasswordHash } from './password.js';
export { type RequestArguments, Scanner, type ScannerOptions } from './scanner.js';
