import { changedFacts, factLines } from '../facts/index.js';
import { shown } from '../match/matcher.js';
import type { CaseResult } from './case-result.js';

/**
 * Returns a failure for each name whose facts in the model of this build were not reviewed. Cases that derive from them cannot
 * find a fault that the scanner has from the same build.
 */
export function changedFactResults(): readonly CaseResult[] {
  const lines = factLines();
  return changedFacts().map((name) => ({
    case: {
      id: `build.${name}`,
      clause: `This program judges ${name} by the facts that were reviewed. Its build states others, so a scanner of the same build passes with a fault.`,
      place: 'Azimuth: the facts of the model',
      level: 'must',
      stage: 'read',
      steps: [],
    },
    verdict: 'fail',
    failure: {
      at: `the model of this build, ${name}`,
      expected: 'the facts that were reviewed (npm run facts)',
      came: shown(lines.get(name)),
      step: 0,
      byHand: [`azimuth describe ${name}`],
    },
    milliseconds: 0,
  }));
}
