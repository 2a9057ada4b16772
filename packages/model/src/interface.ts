import {
  type Declaration,
  EventVariable,
  FileEndpoint,
  type Group,
  Method,
  Variable,
} from './declaration.js';
import { backupRestore } from './groups/backup-restore.js';
import { basicSettings } from './groups/basic-settings.js';
import { contaminationIndication } from './groups/contamination-indication.js';
import { cybersecurity } from './groups/cybersecurity.js';
import { dataReduction } from './groups/data-reduction.js';
import { dateAndSystemTime } from './groups/date-and-system-time.js';
import { detectionHistory } from './groups/detection-history.js';
import { device } from './groups/device.js';
import { diagnosticFile } from './groups/diagnostic-file.js';
import { ethernet } from './groups/ethernet.js';
import { fieldEvaluation } from './groups/field-evaluation.js';
import { filter } from './groups/filter.js';
import { firmwareUpdate } from './groups/firmware-update.js';
import { general } from './groups/general.js';
import { imuDataOutput } from './groups/imu-data-output.js';
import { inputsAndOutputs } from './groups/inputs-and-outputs.js';
import { legacyProtocols } from './groups/legacy-protocols.js';
import { measurementDataOutput } from './groups/measurement-data-output.js';
import { mountingPosition } from './groups/mounting-position.js';
import { operatingData } from './groups/operating-data.js';
import { perpendicularDistance } from './groups/perpendicular-distance.js';
import { regionOfInterest } from './groups/region-of-interest.js';
import { status } from './groups/status.js';
import { webserverSettings } from './groups/webserver-settings.js';
import type { Edition } from './product.js';
import { isFrom, type Release } from './release.js';

/** Groups in the order of the specification. */
export const groups = [
  general,
  status,
  device,
  basicSettings,
  dateAndSystemTime,
  filter,
  mountingPosition,
  contaminationIndication,
  ethernet,
  legacyProtocols,
  webserverSettings,
  inputsAndOutputs,
  measurementDataOutput,
  imuDataOutput,
  dataReduction,
  regionOfInterest,
  fieldEvaluation,
  perpendicularDistance,
  operatingData,
  diagnosticFile,
  detectionHistory,
  firmwareUpdate,
  cybersecurity,
  backupRestore,
] as const;

type Union = (typeof groups)[number]['members'];
type Merge<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void
  ? I
  : never;

/** Every variable, method and file under its name. */
export type Interface = Merge<Union>;

/** The names of all variables. */
export type VariableName = {
  [N in keyof Interface]: Interface[N] extends Variable<infer _> ? N : never;
}[keyof Interface];

/** The names of the variables that are events. */
export type EventName = {
  [N in VariableName]: Interface[N] extends EventVariable<infer _> ? N : never;
}[VariableName];

/** The names of all methods. */
export type MethodName = {
  [N in keyof Interface]: Interface[N] extends Method<infer _Req, infer _Res> ? N : never;
}[keyof Interface];

/** Type of the value of a variable. */
export type ValueOf<N extends VariableName> = Interface[N] extends Variable<infer T> ? T : never;
/** Type of the request of a method, under `data`. */
export type RequestOf<N extends MethodName> = Interface[N] extends Method<infer Req, infer _> ? Req : never;
/** Type of the response of a method, under `data` (getChallenge: under `challenge`). */
export type ResponseOf<N extends MethodName> = Interface[N] extends Method<infer _, infer Res> ? Res : never;

/** Variable or method of any type. */
export type Endpoint = Variable<unknown> | Method<unknown, unknown>;

const declarations: readonly Declaration[] = groups.flatMap(({ members }) =>
  Object.values<Declaration>(members),
);

/** All variables and methods, group by group, in the order of declaration. */
export const allEndpoints: readonly Endpoint[] = declarations.filter(
  (member) => member instanceof Variable || member instanceof Method,
);

export const allVariables: readonly Variable<unknown>[] = allEndpoints.filter(
  (endpoint) => endpoint.kind === 'variable',
);

export const allMethods: readonly Method<unknown, unknown>[] = allEndpoints.filter(
  (endpoint) => endpoint.kind === 'method',
);

/** All files that are transferred as they are, outside the JSON envelope. */
export const allFiles: readonly FileEndpoint[] = declarations.filter(
  (member) => member instanceof FileEndpoint,
);

/** Variables that clients can subscribe to as events. */
export const allEvents: readonly EventVariable<unknown>[] = allVariables.filter(
  (variable) => variable instanceof EventVariable,
);

/** First release that pushes events (specification, Available endpoints by release). */
export const eventsSince: Release = '2.3.1';

/** Path of all endpoints of the specification. */
export const basePath = '/api/';

/** Path of the WebSocket for events (specification, Events). */
export const eventsPath = '/apievents';

/** Returns the groups of the product of an edition, with everything that any release and variant has. */
export function groupsOf({
  product,
}: Pick<Edition, 'product'>): readonly Group<Readonly<Record<string, Declaration>>>[] {
  return product?.groups ?? groups;
}

/** Returns all variables, methods and files that a scanner of this edition has, in the order of declaration. */
export function declarationsOf(edition: Edition): readonly Declaration[] {
  const all = edition.product?.groups.flatMap(({ members }) => Object.values(members)) ?? declarations;
  return all.filter((member) => member.isIn(edition));
}

/** Returns the JSON endpoints of a scanner of this edition, by name, aliases included. */
export function endpointsOf(edition: Edition): ReadonlyMap<string, Endpoint> {
  const served = new Map<string, Endpoint>();
  for (const endpoint of declarationsOf(edition)) {
    if (endpoint instanceof Variable) {
      served.set(endpoint.name, endpoint);
      for (const alias of endpoint.facts.aliases ?? []) served.set(alias, endpoint);
    } else if (endpoint instanceof Method) served.set(endpoint.name, endpoint);
  }
  return served;
}

/** Returns the files that a scanner of this edition transfers, by name. */
export function filesOf(edition: Edition): ReadonlyMap<string, FileEndpoint> {
  const files = declarationsOf(edition).filter((member) => member instanceof FileEndpoint);
  return new Map(files.map((file) => [file.name, file]));
}

/** Returns the events that a scanner of this edition pushes, by name; none below release 2.3.1. */
export function eventsOf(edition: Edition): ReadonlyMap<string, EventVariable<unknown>> {
  if (!isFrom(edition.release, eventsSince)) return new Map();
  const events = declarationsOf(edition).filter((member) => member instanceof EventVariable);
  return new Map(events.map((event) => [event.name, event]));
}

/**
 * Returns true if a part of the interface has all the words that were typed, in its name, its group or its description.
 */
export function mentions({ name, group, facts }: Declaration, typed: string): boolean {
  const content = `${name} ${group} ${facts.text}`.toLowerCase();
  return typed
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((word) => content.includes(word));
}
