import { detailHeader, isObject, loginLevels, statuses } from '../envelope.js';
import type { JsonSchema } from '../types/schema.js';
import type { Header, Operation, Reference, RequestBody, Response } from './document.js';

export function schemaOf(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Returns a schema that describes the meaning of each number of an enumeration, at any depth. JSON Schema has no member
 * for that, and not every tool shows `x-enum-varnames`.
 */
export function withNamedValues(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...namedValues(schema),
    ...(isObject(properties) ? { properties: eachNamed(properties) } : {}),
    ...(isObject(items) ? { items: withNamedValues(items) } : {}),
  };
}

function eachNamed(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      isObject(property) ? withNamedValues(property) : property,
    ]),
  );
}

function namedValues(schema: JsonSchema): JsonSchema {
  const { enum: values, 'x-enum-varnames': names } = schema;
  if (!Array.isArray(values) || !Array.isArray(names)) return {};
  return { description: names.map((name, index) => `${values[index]} ${name}`).join(', ') };
}

/** Returns a schema with a text in front of its description. */
export function introduced(text: string, schema: JsonSchema): JsonSchema {
  const { description } = schema;
  return { ...schema, description: description === undefined ? text : `${text} ${description}` };
}

/**
 * Returns the schema of an object with these members. All are required that are not optional. Further members are
 * ignored.
 */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required: required.length === 0 ? undefined : required };
}

/** Returns the schema of an object as `objectOf`, without any further member. */
export function closedObjectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return { ...objectOf(properties, optional), additionalProperties: false };
}

const hex = '^[0-9a-f]{64}$';

/** Parts of a message that are the same for all endpoints (specification, Envelope objects). */
export const envelopeSchemas: Readonly<Record<string, JsonSchema>> = {
  ResponseHeader: closedObjectOf({
    status: introduced(
      'Status of the request. 0: done. Any other number: the request was refused.',
      withNamedValues({
        type: 'integer',
        enum: Object.values(statuses).map(({ code }) => code),
        'x-enum-varnames': Object.keys(statuses),
      }),
    ),
    message: {
      type: 'string',
      description: 'The name of the status.',
      examples: [statuses.ok.message],
    },
  }),
  RequestHeader: introduced(
    'The login, computed from a challenge. See how to log in.',
    objectOf({
      user: { type: 'string', enum: loginLevels, description: 'The user level that logs in.' },
      realm: { type: 'string', description: 'Copied from the challenge.' },
      nonce: { type: 'string', description: 'Copied from the challenge.' },
      opaque: { type: 'string', description: 'Copied from the challenge.' },
      response: {
        type: 'string',
        pattern: hex,
        description: 'Computed from the challenge and the password.',
      },
    }),
  ),
};

export const envelopeHeaders: Readonly<Record<string, Header>> = {
  Detail: {
    description: 'Why a request was refused, and which part of it, percent-encoded. Missing with status 4.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};

export const envelopeResponses: Readonly<Record<string, Response>> = {
  Done: envelopeResponse('`header.status` says whether the request was done or refused.', {}),
  TooManyRequests: {
    description: 'The client has sent more requests than the rate limit allows.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  },
};

/**
 * Describes a response with HTTP 200. The content of a success beside its header is not required, because a refusal has
 * the same HTTP status and only a header.
 */
export function envelopeResponse(
  description: string,
  content: Readonly<Record<string, JsonSchema>>,
): Response {
  return {
    description,
    headers: { [detailHeader]: { $ref: '#/components/headers/Detail' } },
    content: {
      'application/json': {
        schema: closedObjectOf({ header: schemaOf('ResponseHeader'), ...content }, Object.keys(content)),
      },
    },
  };
}

/** Returns the possible responses of an endpoint of the envelope. */
export function responsesOf(success: Response | Reference): Operation['responses'] {
  return { 200: success, 429: { $ref: '#/components/responses/TooManyRequests' } };
}

export const done: Reference = { $ref: '#/components/responses/Done' };

/** Describes the JSON of a POST. */
export function payload(
  members: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): RequestBody {
  return {
    required: optional.length < Object.keys(members).length,
    content: { 'application/json': { schema: objectOf(members, optional) } },
  };
}
