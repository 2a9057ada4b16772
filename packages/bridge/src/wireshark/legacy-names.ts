import { type LegacyName, legacyNames, sessionMethods } from '@azimuth/device/legacy';
import { allEndpoints, boolean, type Endpoint, type ValueType } from '@azimuth/model';
import type { CommandWord } from '@azimuth/telegrams/legacy';
import { LegacyTypes } from './legacy-types.js';
import type { LuaValue } from './lua-literal.js';

/** The meaning of each command word. */
export const commandMeanings: Readonly<Record<CommandWord, string>> = {
  sRN: 'read a variable',
  sWN: 'write a variable',
  sMN: 'call a method',
  sEN: 'subscribe to an event',
  sRI: 'read by index',
  sWI: 'write by index',
  sMI: 'call by index',
  sEI: 'subscribe by index',
  sRA: 'response to a read',
  sWA: 'response to a write',
  sAN: 'response to a call',
  sEA: 'response to a subscription',
  sSN: 'event',
  sFA: 'error',
};

/** Commands whose name is an index. */
export const commandsByIndex: readonly CommandWord[] = ['sRI', 'sWI', 'sMI', 'sEI'];

/** Names of the legacy protocol with their types, as tables of the dissector. */
export interface LegacyTables {
  readonly types: readonly LuaValue[];
  readonly names: { readonly [name: string]: LuaValue };
  /** Type of the value that switches a subscription on and off. */
  readonly switch: number;
}

/** Returns the tables of all names: those of the interface of any release, of methods of the session, and the legacy names. */
export function legacyTables(): LegacyTables {
  const types = new LegacyTypes();
  const names: Record<string, LuaValue> = {};
  for (const [name, { response, ...rest }] of Object.entries(sessionMethods)) {
    const request = 'request' in rest ? types.numberOf(rest.request.shape) : undefined;
    names[name] = { request, response: types.numberOf(response.shape), secret: true };
  }
  for (const [name, meaning] of legacyNames) names[name] = ofLegacyName(meaning, types);
  for (const endpoint of allEndpoints) {
    const entry = ofEndpoint(endpoint, types);
    names[endpoint.name] = entry;
    const aliases = endpoint.kind === 'variable' ? (endpoint.facts.aliases ?? []) : [];
    for (const alias of aliases) names[alias] = entry;
  }
  const onOrOff = types.numberOf(boolean().shape);
  return { types: types.all, names, switch: onOrOff };
}

function ofLegacyName(meaning: LegacyName, types: LegacyTypes): LuaValue {
  const numberOf = (type: ValueType<unknown> | undefined) =>
    type === undefined ? undefined : types.numberOf(type.shape);
  switch (meaning.kind) {
    case 'alias':
      return ofEndpoint(meaning.endpoint, types);
    case 'variable':
      return { value: numberOf(meaning.type), written: numberOf(meaning.type) };
    case 'method':
      return { request: numberOf(meaning.request), response: numberOf(meaning.response) };
    case 'event':
    case 'scanData':
      return {};
  }
}

function ofEndpoint(endpoint: Endpoint, types: LegacyTypes): LuaValue {
  const { text } = endpoint.facts;
  if (endpoint.kind === 'method') {
    return {
      text,
      request: endpoint.hasRequest ? types.numberOf(endpoint.request.shape) : undefined,
      response: endpoint.hasResponse ? types.numberOf(endpoint.response.shape) : undefined,
      secret: endpoint.holdsSecrets ? true : undefined,
    };
  }
  const { unit, units, written, secret } = endpoint.facts;
  const value = types.numberOf(endpoint.type.shape);
  return {
    text,
    value,
    written: written === undefined ? value : types.numberOf(written.type.shape),
    unit: units === undefined ? unit : undefined,
    units,
    secret,
  };
}
