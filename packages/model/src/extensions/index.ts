import { event, group, Variable, variable } from '../declaration.js';
import { evaluationSlots } from '../groups/field-evaluation.js';
import { allVariables, declarationsOf } from '../interface.js';
import type { Edition, Product } from '../product.js';
import { array } from '../types/array.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';
import { fieldDefinitions } from './field-definitions.js';
import { fieldRefusals, withoutHeights } from './field-rules.js';
import {
  conditionState,
  firmwareState,
  networkState,
  plugState,
  teachInSettings,
  timeState,
} from './states.js';

/** Number of stored detections; one more removes the oldest (specification, Limits). */
export const historyLength = 200;

/** One detection: an evaluation that became infringed. */
const detection = struct({
  /** Time in ms since 1970 UTC, by the clock of the scanner. */
  Timestamp: integer('uint64'),
  EvaluationId: integer('uint16', { minimum: 1, maximum: evaluationSlots }),
  /** Name that the evaluation had. */
  Name: string({ maxLength: 20 }),
  /** Position of the object, in mm; empty if that is not known. */
  Positions: array(struct({ x: integer('int32'), y: integer('int32') }), { maxItems: 1 }),
});

export type Detection = TypeOf<typeof detection>;

/** Content of the detection history, oldest first. */
function detections() {
  return array(detection, { maxItems: historyLength });
}

export type { Evaluation, EvaluationGroup, FieldDefinitions } from './field-definitions.js';
export { GroupActivation, InputCondition, OcclusionHandling } from './field-definitions.js';
export { fieldRefusals } from './field-rules.js';
export type { ConditionState, FirmwareState, TeachInSettings } from './states.js';
export {
  NetworkSource,
  type NetworkState,
  PlugState,
  type PlugStatus,
  PtpState,
  type TimeState,
} from './states.js';

/** Path of extensions. On the wire, their names begin with it. */
export const extensionPrefix = 'x/';

/** Path of the WebSocket for every change, in every release. */
export const changesPath = `/${extensionPrefix}events`;

/** Path of the WebSocket for live scans, in every release. */
export const scanPath = `/${extensionPrefix}scan`;

/** Path under which a virtual scanner with a control port lets its own pages control the simulation. */
export const simulationPath = `/${extensionPrefix}sim`;

const ofFields = group(
  'Field evaluation',
  {
    fields: variable(fieldDefinitions(), {
      write: 'AuthorizedClient',
      unit: 'mm; ms',
      units: {
        x: 'mm',
        y: 'mm',
        LowerZLimit: 'mm',
        UpperZLimit: 'mm',
        MinimumObjectSize: 'mm',
        ObjectDistanceThreshold: 'mm',
        TimeForInfringedState: 'ms',
        TimeForFreeState: 'ms',
      },
      refuses: (definitions, at) => fieldRefusals(definitions, at).next().value ?? undefined,
      migrates: withoutHeights,
      text: 'The evaluations and their groups: contours, object sizes, times, and conditions for activation.',
    }),
    teachIn: variable(teachInSettings, {
      write: 'AuthorizedClient',
      unit: 'mm; ms',
      units: { DistanceInFront: 'mm', DistanceBehind: 'mm', MinimumTime: 'ms' },
      text: 'How teach-in makes contours: the distances in front of and behind what it sees, and how long that has to be there.',
    }),
  },
  { section: 'application', variant: 'full' },
);

const ofHistory = group(
  'Detection history',
  {
    history: event(detections(), {
      unit: 'ms; mm',
      units: { Timestamp: 'ms', x: 'mm', y: 'mm' },
      text: 'The detection history: time and position of each infringement, with its evaluation. The newest entry is the last.',
    }),
  },
  { section: 'application', variant: 'full' },
);

const ofTime = group('Date and system time', {
  time: event(timeState, {
    unit: 'ms; s; ppm',
    units: {
      Offset: 'ms',
      RoundTrip: 'ms',
      LastExchange: 'ms',
      NextExchange: 's',
      UtcOffset: 's',
      Leap: 's',
      PathDelay: 'ms',
      Drift: 'ppm',
    },
    text: 'Synchronisation of the device clock: whether it is synchronised, by which server or PTP master, and the last problem.',
  }),
});

const ofStatus = group('Status', {
  conditions: event(conditionState, {
    text: 'Why the device status is what it is: each state that applies, with its reasons, the gravest first. Empty in normal operation.',
  }),
});

const ofBackups = group('Backup/Restore', {
  plug: event(plugState, {
    since: '2.3.1',
    text: 'The system plug in the connector: whether it has the stored parameters, of which scanner they are, and what is wrong.',
  }),
});

const ofNetwork = group('Ethernet', {
  network: event(networkState, {
    text: 'The network settings in force: the address, where it comes from, and why the last settings are not in force.',
  }),
});

const ofFirmware = group('Firmware update', {
  firmware: event(firmwareState, {
    text: 'The last firmware update: its progress in percent, and why the file was not installed.',
  }),
});

/**
 * Variables that the specification lacks and tools need. They are served under `/x/<name>`, and not over the legacy
 * protocol.
 */
export const extensions = {
  members: {
    ...ofFields.members,
    ...ofHistory.members,
    ...ofTime.members,
    ...ofStatus.members,
    ...ofNetwork.members,
    ...ofFirmware.members,
    ...ofBackups.members,
  },
};

export const extensionVariables: readonly Variable<unknown>[] = Object.values<Variable<unknown>>(
  extensions.members,
);

/** All parameters: of the specification, and of the extensions. */
export const allParameters: readonly Variable<unknown>[] = [...allVariables, ...extensionVariables].filter(
  ({ stored }) => stored,
);

/** Returns the extensions that a scanner of this edition serves, by the name under `/x/`. */
export function extensionsOf(edition: Edition): ReadonlyMap<string, Variable<unknown>> {
  return new Map(
    (edition.product?.extensions ?? extensionVariables)
      .filter((variable) => variable.isIn(edition))
      .map((variable) => [variable.name, variable]),
  );
}

/** Returns the parameters that a scanner of this edition has, in the order of declaration. */
export function parametersOf(edition: Edition): readonly Variable<unknown>[] {
  const variables = declarationsOf(edition).filter((member) => member instanceof Variable);
  return [...variables, ...extensionsOf(edition).values()].filter(({ stored }) => stored);
}

/** Returns the parameters that a product has in any version and variant, in the order of declaration. */
export function everyParameterOf({
  groups,
  extensions,
}: Pick<Product, 'groups' | 'extensions'>): readonly Variable<unknown>[] {
  const variables = groups
    .flatMap(({ members }) => Object.values(members))
    .filter((member) => member instanceof Variable);
  return [...variables, ...extensions].filter(({ stored }) => stored);
}

type Extensions = (typeof extensions)['members'];

/** Returns the name of an extension as clients use it: `x/fields`. */
export type ExtensionName = `${typeof extensionPrefix}${keyof Extensions & string}`;

/** Type of the value of an extension, by its name. */
export type ExtensionValueOf<N extends ExtensionName> = {
  [Key in keyof Extensions & string as `${typeof extensionPrefix}${Key}`]: Extensions[Key] extends Variable<
    infer T
  >
    ? T
    : never;
}[N];
