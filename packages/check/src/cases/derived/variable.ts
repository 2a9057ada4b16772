import type { Area } from '../case.js';
import { variablesOf } from './values-of-variable.js';
import { defaultCases } from './variable-defaults.js';
import { levelCases } from './variable-levels.js';
import { plausibleCases } from './variable-plausible.js';
import { readCases } from './variable-reads.js';
import { ruleCases } from './variable-rules.js';
import { writeCases } from './variable-writes.js';

/** Each variable by itself: what the interface states of its type, limits, default, level and storage. */
export const variableArea: Area = {
  name: 'variable',
  title: 'Variables',
  cases(subject) {
    const variables = variablesOf(subject);
    return [
      ...variables.flatMap((variable) => [
        ...readCases(variable),
        ...writeCases(variable, subject),
        ...levelCases(variable),
      ]),
      ...plausibleCases(subject),
      ...ruleCases(subject),
      ...defaultCases(variables, subject),
    ];
  },
};
