import type { AssumeStep } from './assume.js';
import type { ControlStep } from './control.js';
import type { DownStep } from './down.js';
import type { EnabledLevelStep } from './enabled-level.js';
import type { EventStep } from './event.js';
import type { GivenStep } from './given.js';
import type { LegacyStep } from './legacy.js';
import type { LegacyLevelStep } from './legacy-level.js';
import type { LegacyScansStep } from './legacy-scans.js';
import type { LevelStateStep } from './level-state.js';
import type { OnceStep } from './once.js';
import type { PasswordMessageStep } from './password-message.js';
import type { PauseStep } from './pause.js';
import type { RawStep } from './raw.js';
import type { RepeatStep } from './repeat.js';
import type { RequestStep } from './request.js';
import type { SampleStep } from './sample.js';
import type { SearchStep } from './search.js';
import type { SilenceStep } from './silence.js';
import type { StreamStep } from './stream.js';
import type { TelegramsStep } from './telegrams.js';
import type { TransferStep } from './transfer.js';
import type { UntilStep } from './until.js';

/** One step of a case, as data: what is done, and what is expected then. */
export type Step =
  | RequestStep
  | PauseStep
  | TransferStep
  | UntilStep
  | DownStep
  | ControlStep
  | EnabledLevelStep
  | OnceStep
  | GivenStep
  | LegacyStep
  | LegacyLevelStep
  | LegacyScansStep
  | RawStep
  | RepeatStep<Step>
  | LevelStateStep
  | PasswordMessageStep
  | SearchStep
  | AssumeStep
  | StreamStep
  | TelegramsStep
  | SampleStep
  | SilenceStep
  | EventStep;

export type StepKind = Step['kind'];
