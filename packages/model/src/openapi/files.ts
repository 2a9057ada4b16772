import type { FileEndpoint, FileTransfer, FileVerb } from '../declaration.js';
import { sessionTokenHeader } from '../envelope.js';
import { filesOf } from '../interface.js';
import type { Edition } from '../product.js';
import type { JsonSchema } from '../types/schema.js';
import type { Content, Operation, PathItem, Response, SecurityScheme } from './document.js';
import { lifetime, operationIds } from './endpoints.js';
import { objectOf, responsesOf } from './envelope.js';

const tokenSchemeName = 'sessionToken';

/** Returns the ways to authenticate that OpenAPI can describe: none, in releases that require no session token. */
export function securitySchemes(edition: Edition): Record<string, SecurityScheme> {
  const files = [...filesOf(edition).values()];
  const needsToken = files.some((file) => file.verbs.some((verb) => file.needsToken(verb, edition.release)));
  if (!needsToken) return {};
  return {
    [tokenSchemeName]: {
      type: 'apiKey',
      in: 'header',
      name: sessionTokenHeader,
      description:
        'For file transfers. CreateSessionToken creates a token; it can be used several times until it expires.',
    },
  };
}

const bytes: JsonSchema = { type: 'string', format: 'binary' };
const keys = { GET: 'get', PUT: 'put', POST: 'post' } as const;

/** Describes a file with its verbs. Its failures are HTTP statuses (specification, Errors). */
export function filePath(file: FileEndpoint, edition: Edition): PathItem {
  return Object.fromEntries(
    file.verbs.flatMap((verb) => {
      const transfer = file.facts.verbs[verb];
      return transfer === undefined ? [] : [[keys[verb], operationOf(file, verb, transfer, edition)]];
    }),
  );
}

function operationOf(
  file: FileEndpoint,
  verb: FileVerb,
  transfer: FileTransfer,
  { release }: Edition,
): Operation {
  const { query = [], accepts, maxBytes } = transfer;
  const token = file.needsToken(verb, release);
  return {
    operationId: operationIds.file[verb](file.name),
    tags: [file.group],
    summary: transfer.text,
    description: maxBytes === undefined ? undefined : `At most ${maxBytes} bytes.`,
    parameters:
      query.length === 0
        ? undefined
        : query.map((name) => ({ name, in: 'query', required: true, schema: { type: 'string' } })),
    requestBody: accepts === undefined ? undefined : { required: true, content: contentOf(transfer) },
    responses: { ...responsesOf(success(transfer)), ...failures(verb, transfer, token) },
    security: token ? [{ [tokenSchemeName]: [] }] : undefined,
    ...lifetime(file),
  };
}

function contentOf({ accepts = [], part }: FileTransfer): Content {
  return Object.fromEntries(
    accepts.map((type) => [
      type,
      {
        schema: type === 'multipart/form-data' && part !== undefined ? objectOf({ [part]: bytes }) : bytes,
      },
    ]),
  );
}

function success({ produces }: FileTransfer): Response {
  if (produces === undefined) return { description: 'The file was received.' };
  const schema = produces === 'application/json' ? { type: 'object' } : bytes;
  return { description: 'The file.', content: { [produces]: { schema } } };
}

function failures(
  verb: FileVerb,
  { query = [], maxBytes }: FileTransfer,
  token: boolean,
): Record<string, Response> {
  const hasQuery = query.length > 0;
  const stored = maxBytes !== undefined;
  return {
    ...(hasQuery ? { 400: { description: 'The query is missing or not allowed.' } } : {}),
    ...(token ? { 403: { description: 'The session token is missing or not valid.' } } : {}),
    ...(verb === 'GET' ? { 404: { description: 'There is no such file.' } } : {}),
    ...(stored ? { 413: { description: 'The file is too large.' } } : {}),
    ...(stored ? { 500: { description: 'The file could not be stored.' } } : {}),
    ...(hasQuery ? { 500: { description: 'The scanner failed to read the file.' } } : {}),
  };
}
