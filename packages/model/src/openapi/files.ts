import type { FileEndpoint, FileTransfer, FileVerb } from '../file.js';
import type { Edition } from '../release.js';
import type { JsonSchema } from '../types/schema.js';
import type { Content, Operation, PathItem, Response } from './document.js';
import { replies } from './envelope.js';
import { lifetime } from './marks.js';
import { operationIds } from './names.js';
import { objectOf } from './schema.js';
import { tokenSchemeName } from './security.js';

const bytes: JsonSchema = { type: 'string', format: 'binary' };
const keys = { GET: 'get', PUT: 'put', POST: 'post' } as const;

/** A file with its verbs; its failures are real HTTP statuses (specification, Errors). */
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
    ...(maxBytes === undefined ? {} : { description: `At most ${maxBytes} bytes.` }),
    ...(query.length === 0
      ? {}
      : {
          parameters: query.map((name) => ({
            name,
            in: 'query',
            required: true,
            schema: { type: 'string' },
          })),
        }),
    ...(accepts === undefined ? {} : { requestBody: { required: true, content: contentOf(transfer) } }),
    responses: { ...replies(success(transfer)), ...failures(verb, transfer, token) },
    ...(token ? { security: [{ [tokenSchemeName]: [] }] } : {}),
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
  if (produces === undefined) return { description: 'The file has been taken.' };
  const schema = produces === 'application/json' ? { type: 'object' } : bytes;
  return { description: 'The file.', content: { [produces]: { schema } } };
}

function failures(
  verb: FileVerb,
  { query = [], maxBytes }: FileTransfer,
  token: boolean,
): Record<string, Response> {
  const found = query.length > 0;
  const stored = maxBytes !== undefined;
  return {
    ...(found ? { 400: { description: 'The query is not one that can be answered.' } } : {}),
    ...(token ? { 403: { description: 'The session token is missing or good no more.' } } : {}),
    ...(verb === 'GET' ? { 404: { description: 'There is no such file, or none yet.' } } : {}),
    ...(stored ? { 413: { description: 'The file is too large.' } } : {}),
    ...(stored ? { 500: { description: 'The file could not be stored.' } } : {}),
    ...(found ? { 500: { description: 'The scanner failed to read the file.' } } : {}),
  };
}
