import type { Severity } from '../log/log-entry.js';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';
import type { Limits } from './limits.js';

/** A condition that holds at a look. */
export interface Detected {
  /** The part that it is about; empty if it is the whole scanner. */
  readonly part: string;
  readonly text: string;
}

/** A kind of condition of a scanner. Alarms, metrics, documentation and MQTT topics are made of these. */
export interface ConditionKind {
  readonly id: string;
  readonly severity: Severity;
  /** The trouble in a few words: `Does not answer`. */
  readonly title: string;
  /** Its meaning, and what to do. One or two sentences. */
  readonly about: string;
  /** Seconds for which it has to hold until it begins, and to be absent until it ends. */
  readonly beginsAfter: number;
  readonly endsAfter: number;
  /** Returns where the condition holds at this look. Undefined if it cannot be judged now: then it stays as it was. */
  readonly detect: (
    snapshot: ScannerSnapshot,
    limits: Limits,
    now: number,
  ) => readonly Detected[] | undefined;
}
