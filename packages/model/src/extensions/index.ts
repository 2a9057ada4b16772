import { event, group, type Variable, variable } from '../declaration.js';
import { TimeRole } from '../groups/date-and-system-time.js';
import { evaluationSlots } from '../groups/field-evaluation.js';
import { allVariables } from '../interface.js';
import type { Edition } from '../release.js';
import { array, ipv4 } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { float } from '../types/float.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';
import { fieldDefinitions } from './field-definitions.js';

/** How many detections are kept; one more pushes the oldest out (specification, Limits). */
export const detectionsKept = 200;

/** One detection: an evaluation that became infringed. */
const detection = struct({
  /** ms since 1970 UTC, by the clock of the scanner. */
  Timestamp: integer('uint64'),
  EvaluationId: integer('uint16', { minimum: 1, maximum: evaluationSlots }),
  /** The name that the evaluation had. */
  Name: string({ maxLength: 20 }),
  /** Where the object was, in mm; empty if that is not known. */
  Positions: array(struct({ x: integer('int32'), y: integer('int32') }), { maxItems: 1 }),
});

export type Detection = TypeOf<typeof detection>;

/** What the detection history holds, the oldest first. */
function detections() {
  return array(detection, { maxItems: detectionsKept });
}

export type { Evaluation, EvaluationGroup, FieldDefinitions } from './field-definitions.js';
export { furthestCorner, GroupActivation, InputCondition, OcclusionHandling } from './field-definitions.js';

/** The path of extensions. On the wire, their names begin with it. */
export const extensionPrefix = 'x/';

/** The path of the WebSocket for every change, in every release. */
export const changesPath = `/${extensionPrefix}events`;

const ofFields = group(
  'Field evaluation',
  {
    fields: variable(fieldDefinitions(), {
      write: 'AuthorizedClient',
      unit: 'mm; ms',
      text: 'The evaluations and their groups: contours, object sizes, times, and conditions for activation.',
    }),
  },
  { section: 'application', variant: 'full' },
);

const ofHistory = group(
  'Detection history',
  {
    history: event(detections(), {
      unit: 'ms; mm',
      text: 'The detection history: time and position of each infringement, with its evaluation. The newest entry is the last.',
    }),
  },
  { section: 'application', variant: 'full' },
);

const timeState = struct({
  Role: enumeration(TimeRole, TimeRole.TX_NONE),
  /** Does the clock show the time of a server that has answered not too long ago? */
  Synchronised: boolean(),
  Server: ipv4([0, 0, 0, 0]),
  /** Of the server, 1 to 15; 0 before its first answer. */
  Stratum: integer('uint8', { maximum: 15 }),
  /** ms that the last answer has moved the clock. */
  Offset: float(),
  /** ms that request and answer were under way, the last time. */
  RoundTrip: float({ minimum: 0 }),
  /** ms since 1970 UTC, by the clock of the scanner; 0 before the first answer. */
  LastExchange: integer('uint64'),
  /** s until the server is asked again; 0 while it is being asked, or if it will not be asked. */
  NextExchange: integer('uint32'),
  /** Requests in a row that brought no time. */
  Missed: integer('uint32'),
  /** What is wrong, in words. */
  Fault: string({ maxLength: 200 }),
});

export type TimeState = TypeOf<typeof timeState>;

const ofTime = group('Date and system time', {
  time: event(timeState, {
    unit: 'ms; s',
    text: 'Synchronisation of the device clock: whether it is synchronised, by which server, and the last problem.',
  }),
});

/**
 * What the interface lacks and tools need: variables like those of the specification, served beside it under
 * `/x/<name>`, and on no legacy wire.
 */
export const extensions = { members: { ...ofFields.members, ...ofHistory.members, ...ofTime.members } };

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
