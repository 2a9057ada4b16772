import { type Declaration, Method, Variable } from './declaration.js';
import { basicSettings } from './groups/basic-settings.js';
import { dataReduction } from './groups/data-reduction.js';
import { dateAndSystemTime } from './groups/date-and-system-time.js';
import { device } from './groups/device.js';
import { ethernet } from './groups/ethernet.js';
import { filter } from './groups/filter.js';
import { general } from './groups/general.js';
import { inputsAndOutputs } from './groups/inputs-and-outputs.js';
import { measurementDataOutput } from './groups/measurement-data-output.js';
import { operatingData } from './groups/operating-data.js';
import { status } from './groups/status.js';
import { webserverSettings } from './groups/webserver-settings.js';
import type { Edition } from './release.js';

/** The groups in the order of the specification. */
export const groups = [
  general,
  status,
  device,
  basicSettings,
  dateAndSystemTime,
  filter,
  ethernet,
  webserverSettings,
  inputsAndOutputs,
  measurementDataOutput,
  dataReduction,
  operatingData,
] as const;

type Union = (typeof groups)[number]['members'];
type Merge<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void
  ? I
  : never;

/** Every variable and method under its name. */
export type Interface = Merge<Union>;

/** The names of all variables. */
export type VariableName = {
  [N in keyof Interface]: Interface[N] extends Variable<infer _> ? N : never;
}[keyof Interface];

/** The names of all methods. */
export type MethodName = {
  [N in keyof Interface]: Interface[N] extends Method<infer _Req, infer _Res> ? N : never;
}[keyof Interface];

/** The value that a variable holds. */
export type ValueOf<N extends VariableName> = Interface[N] extends Variable<infer T> ? T : never;
/** What a method takes under `data`. */
export type RequestOf<N extends MethodName> = Interface[N] extends Method<infer Req, infer _> ? Req : never;
/** What a method answers under `data` (getChallenge: under `challenge`). */
export type ResponseOf<N extends MethodName> = Interface[N] extends Method<infer _, infer Res> ? Res : never;

/** A variable or a method of any type. */
export type Endpoint = Variable<unknown> | Method<unknown, unknown>;

const endpoints = new Map<string, Endpoint>();
for (const { members } of groups) {
  for (const member of Object.values<Declaration>(members)) {
    if (member instanceof Variable || member instanceof Method) endpoints.set(member.name, member);
  }
}

/** All variables and methods, group by group, in the order of declaration. */
export const allEndpoints: readonly Endpoint[] = [...endpoints.values()];

export const allVariables: readonly Variable<unknown>[] = allEndpoints.filter(
  (endpoint) => endpoint.kind === 'variable',
);

export const allMethods: readonly Method<unknown, unknown>[] = allEndpoints.filter(
  (endpoint) => endpoint.kind === 'method',
);

/** What a scanner of this edition serves, by name, aliases included. */
export function endpointsOf(edition: Edition): ReadonlyMap<string, Endpoint> {
  const served = new Map<string, Endpoint>();
  for (const endpoint of allEndpoints) {
    if (!endpoint.isIn(edition)) continue;
    served.set(endpoint.name, endpoint);
    if (endpoint.kind !== 'variable') continue;
    for (const alias of endpoint.facts.aliases ?? []) served.set(alias, endpoint);
  }
  return served;
}
