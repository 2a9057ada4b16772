import { group, type Variable, variable } from '../declaration.js';
import { allVariables } from '../interface.js';
import type { Edition } from '../release.js';
import { detections } from './detections.js';
import { fieldDefinitions } from './field-definitions.js';

export type { Detection } from './detections.js';
export { detectionsKept } from './detections.js';
export type { Evaluation, EvaluationGroup, FieldDefinitions } from './field-definitions.js';
export { furthestCorner, GroupActivation, InputCondition, OcclusionHandling } from './field-definitions.js';

/** The path that extensions stand under, as their names on the wire begin. */
export const extensionPrefix = 'x/';

const ofFields = group(
  'Field evaluation',
  {
    fields: variable(fieldDefinitions(), {
      write: 'AuthorizedClient',
      unit: 'mm; ms',
      text: 'The evaluations and groups of evaluations: contours, object sizes, times, and what activates them.',
    }),
  },
  { section: 'application', variant: 'full' },
);

const ofHistory = group(
  'Detection history',
  {
    history: variable(detections(), {
      unit: 'ms; mm',
      event: true,
      text: 'The detection history: when which evaluation was infringed, and where; the newest comes last.',
    }),
  },
  { section: 'application', variant: 'full' },
);

/**
 * What the interface lacks and tools need: variables like those of the specification, served beside it under
 * `/x/<name>`, and on no legacy wire.
 */
export const extensions = { members: { ...ofFields.members, ...ofHistory.members } };

export const extensionVariables: readonly Variable<unknown>[] = Object.values<Variable<unknown>>(
  extensions.members,
);

/** Everything that belongs to the parameter set: of the specification, and our own. */
export const allParameters: readonly Variable<unknown>[] = [...allVariables, ...extensionVariables].filter(
  ({ stored }) => stored,
);

/** The extensions that a scanner of this edition serves, by the name under `/x/`. */
export function extensionsOf(edition: Edition): ReadonlyMap<string, Variable<unknown>> {
  return new Map(
    extensionVariables
      .filter((variable) => variable.isIn(edition))
      .map((variable) => [variable.name, variable]),
  );
}
