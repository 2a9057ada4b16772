import { extensionVariables } from '../extensions/index.js';
import { allEndpoints, filesOf, groups } from '../interface.js';
import type { Edition } from '../release.js';
import type { JsonSchema } from '../types/schema.js';
import type { OpenApiDocument, PathItem, Paths } from './document.js';
import { envelopeHeaders, envelopeResponses, envelopeSchemas } from './envelope.js';
import { eventsTag } from './events.js';
import { extensionPaths, extensionTag } from './extensions.js';
import { filePath } from './files.js';
import { infoOf } from './info.js';
import { methodPath, methodSchemas } from './methods.js';
import { basePath } from './names.js';
import { securitySchemes } from './security.js';
import { valueSchema, variablePath } from './variables.js';

/**
 * Describes the interface of exactly this release and variant, out of the declarations. Aliases are served, and not in
 * it (specification, Versioning 2: a description belongs to a firmware).
 */
export function openApi(edition: Edition): OpenApiDocument {
  const paths = { ...interfacePaths(edition), ...extensionPaths(edition) };
  const schemes = securitySchemes(edition);
  return {
    openapi: '3.1.0',
    info: infoOf(edition),
    servers: [{ url: '/', description: 'The scanner that serves this document.' }],
    tags: tagsIn(paths),
    paths,
    components: {
      schemas: { ...envelopeSchemas, ...payloadSchemas(edition) },
      headers: envelopeHeaders,
      responses: envelopeResponses,
      ...(Object.keys(schemes).length === 0 ? {} : { securitySchemes: schemes }),
    },
  };
}

function interfacePaths(edition: Edition): Paths {
  const paths: Record<string, PathItem> = {};
  for (const endpoint of allEndpoints) {
    if (!endpoint.isIn(edition)) continue;
    paths[basePath + endpoint.name] =
      endpoint.kind === 'variable' ? variablePath(endpoint, edition) : methodPath(endpoint);
  }
  for (const file of filesOf(edition).values()) paths[basePath + file.name] = filePath(file, edition);
  return paths;
}

function payloadSchemas(edition: Edition): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const endpoint of [...allEndpoints, ...extensionVariables]) {
    if (!endpoint.isIn(edition)) continue;
    if (endpoint.kind === 'variable') schemas[endpoint.name] = valueSchema(endpoint, edition);
    else Object.assign(schemas, methodSchemas(endpoint));
  }
  return schemas;
}

/** The groups that have anything in this edition, in their order, and our own. */
function tagsIn(paths: Paths): OpenApiDocument['tags'] {
  const used = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((operation) => operation.tags)),
  );
  const ofGroups = groups.map(({ name }) => ({ name }));
  return [...[...ofGroups, eventsTag].filter(({ name }) => used.has(name)), extensionTag];
}
