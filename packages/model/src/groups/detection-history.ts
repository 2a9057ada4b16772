import { group, method, variable } from '../declaration.js';
import { isFrom } from '../release.js';
import { array } from '../types/array.js';
import { boolean } from '../types/enumeration.js';
import { evaluationSlots } from './field-evaluation.js';

export const detectionHistory = group(
  'Detection history',
  {
    EnableDetectionHistory: variable(boolean(true), {
      write: 'AuthorizedClient',
      factory: ({ release }) => isFrom(release, '1.5.0'),
      text: 'Keeps a history of detections.',
    }),
    EvaluationsToLog: variable(
      array(boolean(true), { minItems: evaluationSlots, maxItems: evaluationSlots }),
      {
        write: 'AuthorizedClient',
        text: 'Whose detections the history takes up: one switch for each evaluation.',
      },
    ),
    ResetDetectionHistory: method({
      level: 'AuthorizedClient',
      text: 'Empties the detection history.',
    }),
  },
  { section: 'application', variant: 'full' },
);
