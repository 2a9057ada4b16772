/** @packageDocumentation @experimental */

/** @stable */
export type { EventName } from '@azimuth/model';
/** @stable */
export {
  decodeTelegram,
  type EncoderTelegram,
  type ImuTelegram,
  type RecordingFacts,
  recordingHeader,
  recordOf,
  reflectorEchoes,
  type ScanModule,
  type ScanTelegram,
  type Telegram,
  TelegramError,
} from '@azimuth/telegrams';
export { credentials, hash1, type Login, legacyPasswordHash } from './authentication.js';
export { pauseAfter } from './back-off.js';
/** @stable */
export type { CallOptions, RequestArguments, ScannerOptions } from './calls.js';
export type { Posted } from './connection.js';
/** @stable */
export { type ConnectionOptions, type Pause, scannerAddress } from './connection.js';
export { csvText } from './csv.js';
export { Description, type MayBeDescribed } from './description.js';
/** @stable */
export {
  AnswerError,
  ClientError,
  mayPass,
  NotDoneError,
  PasswordMissingError,
  RateLimitError,
  ResultError,
  ScannerError,
  TransferError,
  UnreachableError,
} from './errors.js';
export type { ChangeOptions, Changes } from './events/change-stream.js';
export { NoEventsError } from './events/channels.js';
/** @stable */
export type { Events } from './events/event-stream.js';
/** @stable */
export type {
  AnyEvent,
  EventOptions,
  EventsState,
  PushOptions,
  ScannerEvent,
  ScannerQueue,
} from './events/message.js';
export { EventRefusedError } from './events/message.js';
export type { Pushed } from './events/push-stream.js';
/** @stable */
export type { Dial } from './exchange/exchange.js';
export { BodyTooLong, bodyPieces, bytesIn, textIn } from './exchange/exchange.js';
export type { Fetch } from './exchange/fetch-exchange.js';
/** @stable */
export type { Frame } from './frames/frame.js';
export { FrameAssembly } from './frames/frame-assembly.js';
export { LossCount, type Losses } from './frames/loss-count.js';
export type { ParameterReader } from './parameters/parameter-set.js';
/** @stable */
export {
  backupParameters,
  factoryParameters,
  type ParameterDifference,
  type ParameterValues,
  type PartDifference,
  parameterDifferences,
  parameterNamed,
  parameterNames,
  partDifferences,
  storedParameters,
  unsavedParameters,
  workingParameters,
} from './parameters/parameter-set.js';
export {
  encryptedMessage,
  type FreshBytes,
  freshBytes,
  type PasswordChange,
} from './password-change.js';
/** @stable */
export {
  type BackupContent,
  backupContent,
  emptyBackup,
} from './restore/backup-content.js';
/** @stable */
export { currentValues } from './restore/current-values.js';
/** @stable */
export {
  type PlannedParameter,
  type PlanOptions,
  parametersIn,
  plannedChanges,
  type SkipReason,
  sameValue,
  type WriteOptions,
  type WrittenParameter,
  wireName,
  writeParameters,
} from './restore/restore-plan.js';
/** @stable */
export { type CertificateBundle, type Certificates, Scanner } from './scanner.js';
/** @stable */
export { NoScansError, type ScanOptions, type Scans } from './scans/scan-stream.js';
export { Simulation, SimulationError } from './simulation.js';
/** @stable */
export { type Applied, type ApplyFailure, applyPlan } from './site/apply-plan.js';
/** @stable */
export {
  type ChangePlan,
  changePlan,
  isDone,
  parametersToSave,
  parametersToWrite,
  unsavedByOthers,
} from './site/change-plan.js';
export type { BackupOptions, DiagnoseOptions, Restored, RestoreOptions } from './transfers/backup-restore.js';
export type { Download, Progress, Source } from './transfers/file-transfer.js';
export type { Updated, UpdateOptions, UpdateStage } from './transfers/update.js';

// Exports for the pages and the command. They may change with a minor release.

export { plainRefusal } from './errors.js';
export { isPcd, type Pcd, PcdError, readPcd } from './pcd.js';
export {
  type OtherUnit,
  type OwnPart,
  otherUnit,
  ownPart,
  ownVariables,
} from './restore/backup-content.js';
export { completed, type UnsavedParameter, unsavedIn } from './site/change-plan.js';
