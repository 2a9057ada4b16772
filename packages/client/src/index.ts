export {
  decodeTelegram,
  type EncoderTelegram,
  type ImuTelegram,
  type ScanModule,
  type ScanTelegram,
  type Telegram,
  TelegramError,
} from '@azimuth/telegrams';
export { credentials, hash1, type Login } from './authentication.js';
export type { CallOptions, RequestArguments, ScannerOptions } from './calls.js';
export type { CertificateBundle, Certificates } from './certificates.js';
export type { ConnectionOptions, Fetch, Pause } from './connection.js';
export {
  encryptedMessage,
  type FreshBytes,
  freshBytes,
  type PasswordChange,
} from './encrypted-message.js';
export {
  AnswerError,
  ClientError,
  NotDoneError,
  PasswordMissingError,
  RateLimitError,
  ResultError,
  ScannerError,
  TransferError,
  UnreachableError,
} from './errors.js';
export { EventRefusedError, NoEventsError } from './events/event-errors.js';
export type { EventName } from './events/event-name.js';
export type { EventOptions, EventsState, ScannerQueue } from './events/event-options.js';
export type { Events } from './events/event-stream.js';
export type { AnyEvent, ScannerEvent } from './events/scanner-event.js';
export type { Frame } from './frames/frame.js';
export { FrameAssembly } from './frames/frame-assembly.js';
export type { Losses } from './frames/losses.js';
export { legacyPasswordHash } from './password.js';
export { Scanner } from './scanner.js';
export type { BackupOptions } from './transfers/backup.js';
export type { DiagnoseOptions } from './transfers/diagnose.js';
export type { Download } from './transfers/download.js';
export type { Restored, RestoreOptions } from './transfers/restore.js';
export type { Progress, Source } from './transfers/source.js';
export type { Updated, UpdateOptions, UpdateStage } from './transfers/update.js';
