import { severityRanks } from '../parts/severity.js';
import type { NextStep, Situation } from './next-step.js';
import { setUpRules } from './set-up.js';
import { troubleRules } from './trouble.js';

const gone: NextStep = {
  id: 'gone',
  severity: 'bad',
  title: 'The scanner does not answer',
  why: 'Check its power and its cable. This page shows what it said last, and goes on by itself when it answers.',
};

/** What to do next, the most urgent first: trouble, then what is not finished, then what would be better. */
export function nextSteps(situation: Situation): readonly NextStep[] {
  // Whatever else it needs, nothing can be done before it answers again.
  if (situation.isGone) return [gone];
  return [...troubleRules, ...setUpRules]
    .flatMap((rule) => rule(situation) ?? [])
    .toSorted((one, other) => severityRanks[one.severity] - severityRanks[other.severity]);
}
