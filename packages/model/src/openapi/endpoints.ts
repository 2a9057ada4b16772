import { table } from '@azimuth/wording';
import type { CallLevel, Declaration, Method, ValueTable, Variable } from '../declaration.js';
import { isObject } from '../envelope.js';
import { eventsOf } from '../interface.js';
import type { Edition } from '../product.js';
import { type JsonSchema, jsonSchema } from '../types/schema.js';
import type { Marks, Operation, PathItem, RequestBody } from './document.js';
import {
  closedObjectOf,
  done,
  envelopeResponse,
  introduced,
  payload,
  responsesOf,
  schemaOf,
  withNamedValues,
} from './envelope.js';

/** Returns an endpoint's name as a part of another one: `parameterbackup/file` is `CrownFile`. */
function capitalised(name: string): string {
  return name
    .split('/')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** Makes the names of operations. They are stable, since generated clients call their functions by them. */
export const operationIds = {
  read: (name: string) => `read${capitalised(name)}`,
  write: (name: string) => `write${capitalised(name)}`,
  call: (name: string) => `call${capitalised(name)}`,
  file: {
    GET: (name: string) => `download${capitalised(name)}`,
    PUT: (name: string) => `upload${capitalised(name)}`,
    POST: (name: string) => `post${capitalised(name)}`,
  },
} as const;

/** Returns the releases between which an endpoint exists, if it is not in all of them. */
export function lifetime(declaration: Declaration): Marks {
  const { since, until } = declaration.facts;
  return {
    'x-since': since,
    'x-until': until,
  };
}

/** Returns the schema of the value of a variable, with the factory value of this release as default. */
export function valueSchema(variable: Variable<unknown>, { release, version }: Edition): JsonSchema {
  const { text, unit, units, values } = variable.facts;
  const initial = variable.factoryValue({ release, createdWith: release, version });
  const named = introduced(text, withNamedValues(jsonSchema(variable.type.shape, initial)));
  const schema = values === undefined ? named : followed(named, values);
  return { ...schema, 'x-unit': unit, 'x-units': units };
}

/** Returns a schema whose description ends with a table, as CommonMark. */
function followed(schema: JsonSchema, values: ValueTable): JsonSchema {
  const { head, rows, note } = values;
  return {
    ...schema,
    description: `${schema.description}\n\n${table(head, rows)}\n\n${note}`,
    'x-value-table': values,
  };
}

/** @param tag the tag of the operation; the group of the variable by default. */
export function variablePath(
  variable: Variable<unknown>,
  edition: Edition,
  tag: string = variable.group,
): PathItem {
  const get = readOperation(variable, edition, tag);
  return variable.facts.write === undefined ? { get } : { get, post: writeOperation(variable, tag) };
}

function readOperation(variable: Variable<unknown>, edition: Edition, tag: string): Operation {
  const { name, facts, type } = variable;
  const besides =
    type.shape.kind === 'struct' ? '; its members stand beside it, for clients that look there' : '';
  return {
    operationId: operationIds.read(name),
    tags: [tag],
    summary: facts.text,
    responses: responsesOf(
      envelopeResponse(`The value, under its name in \`data\`${besides}. Or a refusal: no \`data\`.`, {
        data: dataSchema(variable, edition),
      }),
    ),
    'x-user-level': 'open',
    ...lifetime(variable),
    'x-event': eventsOf(edition).has(name) || undefined,
    'x-stored': variable.stored || undefined,
    'x-section': variable.stored ? variable.section : undefined,
    'x-of-one-scanner': facts.ofOneScanner,
  };
}

/** Returns the schema of `data` with the value of a variable: under its name, and the members of a struct beside it. */
export function dataSchema(variable: Variable<unknown>, edition: Edition): JsonSchema {
  return closedObjectOf({ [variable.name]: schemaOf(variable.name), ...membersOf(variable, edition) });
}

/** Returns the members of a struct. They are served in addition to the struct itself. */
function membersOf(variable: Variable<unknown>, edition: Edition): Record<string, JsonSchema> {
  const { properties } = valueSchema(variable, edition);
  if (variable.type.shape.kind !== 'struct' || !isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isObject(entry[1])),
  );
}

function writeOperation(variable: Variable<unknown>, tag: string): Operation {
  const { name, facts } = variable;
  return {
    operationId: operationIds.write(name),
    tags: [tag],
    summary: facts.text,
    description: `Changes the working value; user level ${facts.write} or above.`,
    requestBody: payload({
      header: schemaOf('RequestHeader'),
      data: closedObjectOf({ [name]: schemaOf(name) }),
    }),
    responses: responsesOf(done),
    'x-user-level': facts.write,
    ...lifetime(variable),
  };
}

type AnyMethod = Method<unknown, unknown>;

/** Returns the schemas of the request and the response of a method, by name. */
export function methodSchemas(method: AnyMethod): Record<string, JsonSchema> {
  return {
    ...(method.hasRequest ? { [requestName(method)]: members(method.request) } : {}),
    ...(method.hasResponse ? { [responseName(method)]: members(method.response) } : {}),
  };
}

export function methodPath(method: AnyMethod): PathItem {
  return { post: callOperation(method) };
}

function callOperation(method: AnyMethod): Operation {
  const { name, group, facts } = method;
  const { level, text, done: whenDone, loses, reboots, responseMember = 'data' } = facts;
  const body = bodyOf(method);
  return {
    operationId: operationIds.call(name),
    tags: [group],
    summary: text,
    description: [accessText(level), method.loss ?? ''].join(' ').trimEnd(),
    requestBody: body,
    responses: responsesOf(
      method.hasResponse
        ? envelopeResponse(
            `What the call gives, in \`${responseMember}\`. Or a refusal: no \`${responseMember}\`.`,
            {
              [responseMember]: schemaOf(responseName(method)),
            },
          )
        : done,
    ),
    'x-user-level': level,
    ...lifetime(method),
    'x-done': whenDone,
    'x-loses': loses,
    'x-reboots': reboots,
  };
}

/** Returns the members of the body of a call: the credentials if it needs them, and the request if it has one. */
function bodyOf(method: AnyMethod): RequestBody | undefined {
  const { level, request = {}, optional = [] } = method.facts;
  const header: Record<string, JsonSchema> = level === 'open' ? {} : { header: schemaOf('RequestHeader') };
  const data: Record<string, JsonSchema> = method.hasRequest ? { data: schemaOf(requestName(method)) } : {};
  const parts = { ...header, ...data };
  if (Object.keys(parts).length === 0) return undefined;
  const nothingNeeded = Object.keys(request).every((member) => optional.includes(member));
  return payload(parts, nothingNeeded ? Object.keys(data) : []);
}

function accessText(level: CallLevel): string {
  if (level === 'open') return 'Needs no login.';
  return level === 'login' ? 'Any enabled user level.' : `User level ${level} or above.`;
}

function requestName({ name }: AnyMethod): string {
  return `${name}Request`;
}

function responseName({ name, facts }: AnyMethod): string {
  const { responseMember = 'data' } = facts;
  return responseMember === 'data' ? `${name}Response` : capitalised(responseMember);
}

function members({ shape }: AnyMethod['request']): JsonSchema {
  return withNamedValues(jsonSchema(shape));
}
