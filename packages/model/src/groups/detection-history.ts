import { group, method, variable } from '../declaration.js';
import { array } from '../types/array.js';
import { boolean } from '../types/enumeration.js';
import { evaluationSlots } from './field-evaluation.js';

export const detectionHistory = group(
  'Detection history',
  {
    EnableDetectionHistory: variable(boolean(true), {
      write: 'AuthorizedClient',
      since: '2.1.0',
      text: 'Whether the scanner keeps a history of detections.',
    }),
    EvaluationsToLog: variable(
      array(boolean(true), { minItems: evaluationSlots, maxItems: evaluationSlots }),
      {
        write: 'AuthorizedClient',
        since: '2.1.0',
        text: 'Evaluations whose detections are added to the history: one switch for each evaluation.',
      },
    ),
    ResetDetectionHistory: method({
      level: 'AuthorizedClient',
      since: '2.1.0',
      loses: 'all entries of the detection history',
      text: 'Deletes all entries of the detection history.',
    }),
  },
  { section: 'application', variant: 'full' },
);
