import { type Matcher, mismatch } from '../match/matcher.js';
import { NotTestable, type StepContext } from './step-context.js';

/** The rest of a case tells something only if a value that was saved matches: else it is not tested. */
export interface AssumeStep {
  readonly kind: 'assume';
  /** Name of the saved value. */
  readonly saved: string;
  readonly matches: Matcher;
  /** What is missing otherwise: `needs echoes in front of the scanner`. */
  readonly otherwise: string;
}

export function assume(saved: string, matches: Matcher, otherwise: string): AssumeStep {
  return { kind: 'assume', saved, matches, otherwise };
}

/** @throws NotTestable */
export function performAssume({ saved: name, matches, otherwise }: AssumeStep, context: StepContext): void {
  const wrong = mismatch(matches, context.saved.get(name), name, context);
  if (wrong !== undefined) throw new NotTestable(otherwise);
}
