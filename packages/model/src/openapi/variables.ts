import type { ValueTable, Variable } from '../declaration.js';
import { isObject } from '../fault.js';
import { eventsOf } from '../interface.js';
import { table } from '../reference/markdown.js';
import type { Edition } from '../release.js';
import { type JsonSchema, jsonSchema } from '../types/schema.js';
import type { Operation, PathItem } from './document.js';
import { answer, done, payload, replies } from './envelope.js';
import { lifetime } from './marks.js';
import { operationIds } from './names.js';
import { closedObjectOf, introduced, schemaOf, withNamedValues } from './schema.js';

/** The value of a variable, with the default that a scanner of this release leaves the factory with. */
export function valueSchema(variable: Variable<unknown>, { release }: Edition): JsonSchema {
  const { text, unit, values } = variable.facts;
  const initial = variable.factoryValue({ release, createdWith: release });
  const named = introduced(text, withNamedValues(jsonSchema(variable.type.shape, initial)));
  const schema = values === undefined ? named : followed(named, values);
  return unit === undefined ? schema : { ...schema, 'x-unit': unit };
}

/** A schema whose description ends with a table, as CommonMark. */
function followed(schema: JsonSchema, { head, rows, note }: ValueTable): JsonSchema {
  return { ...schema, description: `${schema.description}\n\n${table(head, rows)}\n\n${note}` };
}

/** @param tag under which it stands; its group where nothing is stated. */
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
    responses: replies(
      answer(`The value, under its name in \`data\`${besides}. Or a refusal: no \`data\`.`, {
        data: closedObjectOf({ [name]: schemaOf(name), ...membersOf(variable, edition) }),
      }),
    ),
    'x-user-level': 'open',
    ...lifetime(variable),
    ...(eventsOf(edition).has(name) ? { 'x-event': true } : {}),
  };
}

/** The members of a struct, which are answered beside the struct itself. */
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
    responses: replies(done),
    ...(facts.write === undefined ? {} : { 'x-user-level': facts.write }),
    ...lifetime(variable),
  };
}
