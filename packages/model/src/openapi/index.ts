/** @packageDocumentation @internal */

import { Method, Variable } from '../declaration.js';
import { detailHeader, detailHeaderOf } from '../envelope.js';
import { extensionsOf } from '../extensions/index.js';
import { basePath, declarationsOf, filesOf, groupsOf } from '../interface.js';
import { type Edition, editionFacts } from '../product.js';
import { productOf } from '../product-definition/index.js';
import type { JsonSchema } from '../types/schema.js';
import type { Info, OpenApiDocument, PathItem, Paths } from './document.js';
import { methodPath, methodSchemas, valueSchema, variablePath } from './endpoints.js';
import { envelopeHeaders, envelopeResponses, envelopeSchemas } from './envelope.js';
import { eventsTag, extensionPaths, extensionTag } from './extensions.js';
import { filePath, securitySchemes } from './files.js';

export type { OpenApiDocument, Operation, PathItem } from './document.js';

/**
 * Describes the interface of exactly this release and variant, from the declarations. Aliases are served, but not
 * described (specification, Versioning 2: a description belongs to a firmware).
 */
export function openApi(edition: Edition): OpenApiDocument {
  const paths = { ...interfacePaths(edition), ...extensionPaths(edition) };
  const schemes = securitySchemes(edition);
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: infoOf(edition),
    servers: [{ url: '/', description: 'The scanner that serves this document.' }],
    tags: tagsIn(paths, edition),
    paths,
    components: {
      schemas: { ...envelopeSchemas, ...payloadSchemas(edition) },
      headers: envelopeHeaders,
      responses: envelopeResponses,
      securitySchemes: Object.keys(schemes).length === 0 ? undefined : schemes,
    },
  };
  // Absent members are removed, because programs check for them.
  const text = JSON.stringify(document).replaceAll(detailHeader, detailHeaderOf(productOf(edition)));
  const json: OpenApiDocument = JSON.parse(text);
  return json;
}

function interfacePaths(edition: Edition): Paths {
  const paths: Record<string, PathItem> = {};
  for (const endpoint of declarationsOf(edition)) {
    if (endpoint instanceof Variable) paths[basePath + endpoint.name] = variablePath(endpoint, edition);
    else if (endpoint instanceof Method) paths[basePath + endpoint.name] = methodPath(endpoint);
  }
  for (const file of filesOf(edition).values()) paths[basePath + file.name] = filePath(file, edition);
  return paths;
}

function payloadSchemas(edition: Edition): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const endpoint of [...declarationsOf(edition), ...extensionsOf(edition).values()]) {
    if (endpoint instanceof Variable) schemas[endpoint.name] = valueSchema(endpoint, edition);
    else if (endpoint instanceof Method) Object.assign(schemas, methodSchemas(endpoint));
  }
  return schemas;
}

/** Returns the groups that have anything in this edition, in their order, and the extensions. */
function tagsIn(paths: Paths, edition: Edition): OpenApiDocument['tags'] {
  const used = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((operation) => operation.tags)),
  );
  const ofGroups = groupsOf(edition).map(({ name }) => ({ name }));
  return [...[...ofGroups, eventsTag].filter(({ name }) => used.has(name)), extensionTag];
}

/** Returns the description of the document. It explains the login, for which OpenAPI has no form. */
function infoOf(edition: Edition): Info {
  const { variant, product } = edition;
  const release = edition.version ?? edition.release;
  const scanner = product === undefined ? 'a 2D laser scanner' : product.name;
  return {
    title: `Management interface of ${scanner}, release ${release}, variant ${variant}`,
    summary: 'Parameters, methods and files of the scanner, as JSON over HTTP.',
    description: description(edition),
    version: release,
    license: { name: 'MIT', identifier: 'MIT' },
    'x-edition': editionFacts(edition),
  };
}

function description(edition: Edition): string {
  const { variant } = edition;
  const release = edition.version ?? edition.release;
  return `Exactly what a scanner of release ${release}, variant \`${variant}\`, serves. Other releases and variants differ.

## Answers

Everything under \`/api\` but files is answered with HTTP 200, whether it went well or not: look at \`header.status\`.
Only status 0 brings \`data\` (or \`challenge\`); a refusal brings the header alone. The HTTP response header
\`${detailHeader}\` says in words what was wrong and where, except after a failed login.

## Reading and writing

A GET reads a variable and asks for no login. A POST writes it, or calls a method; each says in \`x-user-level\` who may:
a user level means this level or a higher one (in rising order: Maintenance, AuthorizedClient, Service),
\`login\` any of them, \`open\` for everybody. A write changes the working value only: WriteEeprom stores it, or it is lost with the next power
cut. A stated default is the value from the factory; a request has to state all its members that are required, whatever
their default.

## How to log in

There are no sessions. Each protected POST proves anew that the caller knows the password, which itself is never sent:

1. \`POST /api/getChallenge\` with \`{"data":{"user":"Service"}}\` answers a \`challenge\`: \`realm\`, \`nonce\`, \`opaque\`
   and \`salt\`, an array of bytes.
2. Compute, with SHA-256 written as lower-case hex digits:
   - \`hash1\` of \`<user>:<realm>:<password>:\` with the bytes of the salt behind it; where the challenge has no salt, of
     \`<user>:<realm>:<password>\`,
   - \`hash2\` of \`POST:<name>\`, the name being what follows \`/api/\` in the path,
   - \`response\` of \`<hash1>:<nonce>:<hash2>\`.
3. Send the POST with \`{"header":{"user","realm","nonce","opaque","response"},"data":{…}}\`.

A challenge is good for one POST. One for another user level voids it: status 10, fetch a new one and try again. Clients
that run side by side have to take turns with these steps. Five failed logins, in a row or at one user level since its
last success, lock everybody out for 30 seconds (status 4), and so does fetching many challenges without using them, for a
few seconds. Attempts at a disabled user level answer status 4 and do not count.

## Marks

\`x-user-level\`, \`x-since\` and \`x-until\` (the releases that brought it and took it away), \`x-event\` (changes are pushed
to subscribers), \`x-unit\` and \`x-units\` (of each member by its name), \`x-enum-varnames\` (the names of an enumeration's
numbers, in their order), \`x-names\` (names of some numbers), \`x-lines\` (the text may have line breaks), \`x-stored\` and
\`x-section\` (a parameter, and which section of the parameters it is in), \`x-of-one-scanner\` (not to be copied to another
scanner), \`x-value-table\` (what each value means), \`x-done\` (the response of a call that was carried out; any other is a
refusal), \`x-loses\` (what a call loses for good), \`x-reboots\`.
`;
}
