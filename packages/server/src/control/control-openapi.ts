import type { ControlCommand, ControlQuery, Controls, DescribedQuery } from '@azimuth/device/control';

/** Returns the OpenAPI 3.1 of a control port, as far as its commands and queries are declared. */
export function controlOpenApi({ commands, queries }: Controls): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, query] of Object.entries(queries)) paths[`/${name}`] = { get: reading(name, query) };
  for (const [name, command] of Object.entries(commands)) {
    paths[`/${name}`] = { ...paths[`/${name}`], post: operation(name, command) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control port of a virtual scanner',
      version: '1',
      description:
        'What happens around a virtual scanner. It has no login, and only programs on the same computer reach it.',
    },
    paths,
  };
}

function reading(name: string, query: ControlQuery | DescribedQuery): object {
  const operationId = `get ${name === '' ? 'overview' : name}`;
  if (typeof query === 'function')
    return { operationId, responses: { 200: responseOf('What was asked for', { type: 'object' }) } };
  return {
    operationId,
    description: query.text,
    parameters: Object.entries(query.parameters).map(([parameter, schema]) => ({
      ...{ name: parameter, in: 'query', required: false, schema },
    })),
    responses: {
      200: responseOf('What was asked for', query.response),
      400: responseOf('A parameter is not allowed', {
        type: 'object',
        properties: { error: { type: 'string' } },
        required: ['error'],
      }),
    },
  };
}

function operation(name: string, { text, schema, accepts }: ControlCommand): object {
  return {
    operationId: `post ${name}`,
    description: text,
    requestBody: {
      content: { 'application/json': { schema: schema ?? schemaOfMembers(accepts) } },
    },
    responses: {
      200: responseOf('Done', { type: 'object', properties: { ok: { const: true } }, required: ['ok'] }),
      400: responseOf('Refused; nothing was changed', {
        type: 'object',
        properties: { error: { type: 'string' } },
        required: ['error'],
      }),
    },
  };
}

/** Only the names of the members are known, not their types. */
function schemaOfMembers(accepts: readonly string[] | undefined): object {
  if (accepts === undefined) return { type: 'object' };
  return {
    type: 'object',
    properties: Object.fromEntries(accepts.map((member) => [member, {}])),
    additionalProperties: false,
  };
}

function responseOf(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}
