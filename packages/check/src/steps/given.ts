import { type Matcher, mismatch } from '../match/matcher.js';
import { presentValue } from './present-value.js';
import { NotTestable, type StepContext } from './step-context.js';

/** A state of the scanner that a case needs. In another one, it is not tested. */
export interface GivenStep {
  readonly kind: 'given';
  /** Variable that is read. */
  readonly name: string;
  readonly matches: Matcher;
  /** What is missing otherwise: `a scanner that measures`. */
  readonly needs: string;
}

export function given(name: string, matches: Matcher, needs: string): GivenStep {
  return { kind: 'given', name, matches, needs };
}

/** @throws NotTestable, NoAnswer */
export async function performGiven({ name, matches, needs }: GivenStep, context: StepContext): Promise<void> {
  const { value } = await presentValue(name, context);
  if (mismatch(matches, value, name, context) !== undefined) throw new NotTestable(`needs ${needs}`);
}
