import { severityRanks } from '../parts/severity.js';
import type { NextStep, Situation } from './next-step.js';
import { setUpRules } from './set-up.js';
import { troubleRules } from './trouble.js';

/** What to do next, the most urgent first: trouble, then what is not finished, then what would be better. */
export function nextSteps(situation: Situation): readonly NextStep[] {
  return [...troubleRules, ...setUpRules]
    .flatMap((rule) => rule(situation) ?? [])
    .toSorted((one, other) => severityRanks[one.severity] - severityRanks[other.severity]);
}
