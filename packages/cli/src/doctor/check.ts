import type { Variable } from '@azimuth/model';
import type { Observation } from './observation.js';

/**
 * Severity of a finding. `problem`: something does not work now. `warning`: something will go wrong, or is unsafe.
 * `note`: useful to know when searching for a reason.
 */
export const severities = ['problem', 'warning', 'note'] as const;

export type Severity = (typeof severities)[number];

/** A safe fix for the scanner: it can be undone, and removes nothing. */
export interface Fix {
  /** The question to the user: `Switch the scan data stream on?` */
  readonly question: string;
  readonly acts: readonly Act[];
}

/** A write, or a call of a method. */
export type Act =
  | { readonly write: string; readonly value: unknown }
  /** @property members the changed members of a struct; the others stay as they are then */
  | { readonly write: string; readonly members: Readonly<Record<string, unknown>> }
  | { readonly call: string }
  /** @property requestAt makes the request at the time of sending */
  | { readonly call: string; readonly requestAt: (now: Date) => unknown };

export interface Finding {
  readonly severity: Severity;
  /** The problem, without a full stop. */
  readonly text: string;
  /** The advice, without a full stop; empty if nothing has to be done. */
  readonly advice: string;
  readonly fix?: Fix;
}

/** The result of a check. */
export type Verdict =
  | Finding
  /** Text for a good result. */
  | { readonly fine: string }
  | { readonly findings: readonly [Finding, ...Finding[]] }
  /** The reason why the check was not possible. */
  | { readonly unseen: string }
  /** The scanner has no such feature. */
  | { readonly absent: string };

export type ListedVerdict = Exclude<Verdict, Finding>;

/** One check. */
export interface Check {
  /** Its name for programs: `scan-destination`. */
  readonly name: string;
  /** Its name for people: `where scan data goes`. */
  readonly about: string;
  /** The variables that it reads. */
  readonly reads: readonly Variable<unknown>[];
  /** Judges the observation; sends no request. */
  judge(observation: Observation): Verdict;
}

export function problem(text: string, advice: string, fix?: Fix): Finding {
  return { severity: 'problem', text, advice, fix };
}

export function warning(text: string, advice: string, fix?: Fix): Finding {
  return { severity: 'warning', text, advice, fix };
}

export function note(text: string, advice = '', fix?: Fix): Finding {
  return { severity: 'note', text, advice, fix };
}

/** Returns the findings of a check, or the good result if there are none. */
export function verdictFrom(findings: readonly Finding[], fine: string): Verdict {
  const [first, ...others] = findings;
  return first === undefined ? { fine } : { findings: [first, ...others] };
}

/** Returns a verdict whose single finding is a list of findings. */
export function listed(verdict: Verdict): ListedVerdict {
  return 'severity' in verdict ? { findings: [verdict] } : verdict;
}
