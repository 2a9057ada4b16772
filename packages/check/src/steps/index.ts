export type { Json, Matcher } from '../match/matcher.js';
export { type AssumeStep, assume } from './assume.js';
export { askControl, type ControlStep, control } from './control.js';
export { type DownStep, down, rebooted, up } from './down.js';
export { type EnabledLevelStep, enabledLevel } from './enabled-level.js';
export {
  type EventStep,
  eventSeries,
  eventsClosed,
  leaveEvents,
  noEvent,
  openEvents,
  pingEvents,
  receiveEvent,
  sendEvent,
} from './event.js';
export type { FileContent, FileEdit } from './file-content.js';
export { type GivenStep, given } from './given.js';
export type { LegacyExpectation, LegacySend, LegacyStep } from './legacy.js';
export { type LegacyLevelStep, legacyLevel } from './legacy-level.js';
export type { LegacyLogin } from './legacy-login.js';
export type { LegacyScansStep } from './legacy-scans.js';
export { type LevelStateStep, levelState } from './level-state.js';
export type { LoginPlan } from './login.js';
export { type OnceStep, once } from './once.js';
export { type PasswordMessageStep, passwordMessage } from './password-message.js';
export { type PauseStep, pause } from './pause.js';
export { type RawAnswer, type RawPiece, type RawStep, raw } from './raw.js';
export { type RepeatStep, repeat } from './repeat.js';
export { type AnswerExpectation, call, get, post, type RequestStep, write } from './request.js';
export { type SampleStep, sample } from './sample.js';
export type { SearchStep } from './search.js';
export { type SilenceStep, silence } from './silence.js';
export type { Step, StepKind } from './step.js';
export { type StreamName, type StreamStep, stream } from './stream.js';
export { type CaptureLength, type TelegramsOptions, type TelegramsStep, telegrams } from './telegrams.js';
export { type TransferOptions, type TransferStep, transfer } from './transfer.js';
export { type UntilStep, until } from './until.js';
