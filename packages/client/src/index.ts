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
/** @stable */
export { type ConnectionOptions, type Pause, scannerAddress } from './connection.js';
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
export { EventRefusedError } from './events/event-refused.js';
/** @stable */
export type { Events } from './events/event-stream.js';
export { NoEventsError } from './events/events-channel.js';
export type { Pushed } from './events/push-stream.js';
/** @stable */
export type {
  AnyEvent,
  EventOptions,
  EventsState,
  PushOptions,
  ScannerEvent,
  ScannerQueue,
} from './events/scanner-event.js';
export type { Fetch } from './exchange/fetch-exchange.js';
export { BodyTooLong, bytesIn, piecesOf, textIn } from './exchange/limited-body.js';
/** @stable */
export type { Frame } from './frames/frame.js';
export { FrameAssembly } from './frames/frame-assembly.js';
export type { Losses } from './frames/loss-count.js';
/** @stable */
export {
  type ParameterDifference,
  type PartDifference,
  parameterDifferences,
  partDifferences,
  unsavedParameters,
} from './parameters/parameter-differences.js';
/** @stable */
export {
  backupParameters,
  factoryParameters,
  type ParameterValues,
  parameterNamed,
  parameterNames,
  storedParameters,
  workingParameters,
} from './parameters/parameter-set.js';
export {
  encryptedMessage,
  type FreshBytes,
  freshBytes,
  type PasswordChange,
} from './password-change.js';
export { plainRefusal } from './plain-refusal.js';
/** @stable */
export { type BackupContent, backupContent, emptyBackup } from './restore/backup-content.js';
/** @stable */
export { currentValues } from './restore/current-values.js';
export {
  type OtherUnit,
  type OwnPart,
  otherUnit,
  ownPartOf,
  ownVariables,
} from './restore/other-unit.js';
/** @stable */
export {
  type PlannedParameter,
  type PlanOptions,
  parametersIn,
  plannedChanges,
  type SkipReason,
  sameValue,
  wireName,
} from './restore/restore-plan.js';
/** @stable */
export { type WriteOptions, type WrittenParameter, writeParameters } from './restore/restore-run.js';
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
  savesOf,
  unsavedByOthers,
  writesOf,
} from './site/change-plan.js';
export { completed } from './site/completed.js';
export { type UnsavedParameter, unsavedOf } from './site/unsaved.js';
export type { BackupOptions, Restored, RestoreOptions } from './transfers/backup-restore.js';
export type { DiagnoseOptions } from './transfers/diagnose.js';
export type { Download, Progress, Source } from './transfers/file-transfer.js';
export type { Updated, UpdateOptions, UpdateStage } from './transfers/update.js';
