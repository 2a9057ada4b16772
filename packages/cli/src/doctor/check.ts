import type { Variable } from '@azimuth/model';
import type { Observation } from './observation.js';

/**
 * How bad a finding is. `problem`: something does not work now. `warning`: something will go wrong, or is unsafe.
 * `note`: somebody who searches for a reason should know it.
 */
export const severities = ['problem', 'warning', 'note'] as const;

export type Severity = (typeof severities)[number];

/** What a safe fix does to the scanner: it can be undone, and takes nothing away from anybody. */
export interface Fix {
  /** What is asked first: `Switch the scan data stream on?` */
  readonly question: string;
  readonly acts: readonly Act[];
}

/** A write, or a call of a method. */
export type Act =
  | { readonly write: string; readonly value: unknown }
  /** @property members those of a struct that change; the others stay as they are then */
  | { readonly write: string; readonly members: Readonly<Record<string, unknown>> }
  | { readonly call: string }
  /** @property requestAt the request, at the time when it is sent */
  | { readonly call: string; readonly requestAt: (now: Date) => unknown };

export interface Finding {
  readonly severity: Severity;
  /** What is wrong, without a full stop. */
  readonly text: string;
  /** What to do, without a full stop; empty if nothing has to be done. */
  readonly advice: string;
  readonly fix?: Fix;
}

/** What a check says. */
export type Verdict =
  | Finding
  /** What is well, for those who want to read it. */
  | { readonly fine: string }
  | { readonly findings: readonly [Finding, ...Finding[]] }
  /** Why it could not look. */
  | { readonly unseen: string }
  /** The scanner has no such thing. */
  | { readonly absent: string };

export type ListedVerdict = Exclude<Verdict, Finding>;

/** One thing that is looked at. */
export interface Check {
  /** For programs: `scan-destination`. */
  readonly name: string;
  /** For people: `where scan data goes`. */
  readonly about: string;
  /** The variables that it needs to know. */
  readonly reads: readonly Variable<unknown>[];
  /** Judges what was read; asks nobody. */
  look(seen: Observation): Verdict;
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

/** The findings of a check, or what is well if there are none. */
export function verdictOf(findings: readonly Finding[], fine: string): Verdict {
  const [first, ...others] = findings;
  return first === undefined ? { fine } : { findings: [first, ...others] };
}

/** The same, with a list of findings in place of a lone one. */
export function listed(verdict: Verdict): ListedVerdict {
  return 'severity' in verdict ? { findings: [verdict] } : verdict;
}
