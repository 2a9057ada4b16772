import { detailHeader } from '../envelope.js';
import { loginLevels } from '../level.js';
import { statuses } from '../status.js';
import type { JsonSchema } from '../types/schema.js';
import type { Header, Operation, Reference, RequestBody, Response } from './document.js';
import { closedObjectOf, introduced, objectOf, schemaOf, withNamedValues } from './schema.js';

const hex = '^[0-9a-f]{64}$';

/** The parts of a message that are the same for all endpoints (specification, Envelope objects). */
export const envelopeSchemas: Readonly<Record<string, JsonSchema>> = {
  ResponseHeader: closedObjectOf({
    status: introduced(
      'How it went; anything but 0 is a failure.',
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
    'The answer to a challenge: see how to log in.',
    objectOf({
      user: { type: 'string', enum: loginLevels, description: 'The user level that logs in.' },
      realm: { type: 'string', description: 'As the challenge gave it.' },
      nonce: { type: 'string', description: 'As the challenge gave it.' },
      opaque: { type: 'string', description: 'As the challenge gave it.' },
      response: { type: 'string', pattern: hex, description: 'Computed from challenge and password.' },
    }),
  ),
};

export const envelopeHeaders: Readonly<Record<string, Header>> = {
  Detail: {
    description: 'Where and why a request was refused, percent-encoded; never given with status 4.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};

export const envelopeResponses: Readonly<Record<string, Response>> = {
  Done: answer('Done, or refused: `header.status` tells.', {}),
  TooManyRequests: {
    description: 'Requests come faster than this scanner was told to allow.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  },
};

/**
 * An answer over HTTP 200. What a success carries beside its header is not required, since a failure is answered
 * with the same HTTP status and carries nothing but its header.
 */
export function answer(description: string, content: Readonly<Record<string, JsonSchema>>): Response {
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

/** What an endpoint of the envelope may answer. */
export function replies(success: Response | Reference): Operation['responses'] {
  return { 200: success, 429: { $ref: '#/components/responses/TooManyRequests' } };
}

export const done: Reference = { $ref: '#/components/responses/Done' };

/** The JSON of a POST. */
export function payload(
  members: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): RequestBody {
  return {
    required: optional.length < Object.keys(members).length,
    content: { 'application/json': { schema: objectOf(members, optional) } },
  };
}
