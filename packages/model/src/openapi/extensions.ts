import { changesPath, extensionPrefix, extensionsOf, parametersOf, scanPath } from '../extensions/index.js';
import { measurementDataOutput } from '../groups/measurement-data-output.js';
import { eventsOf, eventsPath } from '../interface.js';
import type { Edition } from '../product.js';
import type { PathItem, Paths } from './document.js';
import { variablePath } from './endpoints.js';
import { closedObjectOf, envelopeResponse, responsesOf, schemaOf } from './envelope.js';

/** Tag for paths of the specification that are in none of its groups. */
export const eventsTag = { name: 'Events', description: 'Values that the scanner sends when they change.' };

/** Describes the opening of a WebSocket, for which OpenAPI has a form. The messages are described in words. */
function webSocket(
  tag: string,
  operation: Pick<NonNullable<PathItem['get']>, 'operationId' | 'summary' | 'description'>,
) {
  return {
    tags: [tag],
    ...operation,
    responses: {
      101: { description: 'The connection is now a WebSocket.' },
      426: { description: 'The request is not a WebSocket handshake.' },
      429: { $ref: '#/components/responses/TooManyRequests' },
    },
    'x-user-level': 'open',
  };
}

/** Paths that push events and, under the tag of our extensions, every change and live scans. */
function eventPaths(edition: Edition, extensionTag: string): Paths {
  const names = [...eventsOf(edition).keys()];
  const registered: PathItem = {
    get: webSocket(eventsTag.name, {
      operationId: 'openEvents',
      summary: 'A WebSocket over which the scanner sends the values of events.',
      description: `Send \`{"type":"register","event":"${names[0]}","clientId":1}\`. The scanner answers with the current value, then sends a message for each change. Events: ${names.join(', ')}.`,
    }),
  };
  const changes = webSocket(extensionTag, {
    operationId: 'openChanges',
    summary: 'A WebSocket over which the scanner reports every change of every variable.',
    description: 'Each message is `{"changed":{"<Name>":<value>, …}}`: the variables that changed together.',
  });
  const scans = webSocket(extensionTag, {
    operationId: 'openScans',
    summary: 'A WebSocket over which the scanner sends its scans.',
    description:
      'Each message is binary: one segment of a scan as a Compact telegram of type 1, with signal strengths and properties.',
  });
  const chosen = {
    name: 'names',
    in: 'query',
    required: false,
    schema: { type: 'string', description: 'Names of the variables to report, separated by commas.' },
  } as const;
  return {
    ...(names.length === 0 ? {} : { [eventsPath]: registered }),
    [changesPath]: { get: { ...changes, parameters: [chosen] } },
    [scanPath]: { get: scans },
  };
}

export const extensionTag = {
  name: 'x',
  description: 'Extensions of Azimuth. They are not in the specification: other devices do not have them.',
};

const { StartScanMerge } = measurementDataOutput.members;

const pointCloud: PathItem = {
  get: {
    operationId: 'fetchPointCloud',
    tags: [StartScanMerge.group],
    summary: 'The latest 3D recording (StartScanMerge) as a point cloud.',
    responses: {
      ...responsesOf({
        description: 'A PCD file (Point Cloud Data 0.7, binary): x, y, z in m and intensity of each point.',
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      }),
      404: { description: 'There is no recording, or it was removed.' },
    },
    'x-user-level': 'open',
  },
};

/** Returns the paths that are served in addition to the interface of the specification. */
export function extensionPaths(edition: Edition): Paths {
  const stored = parametersOf(edition);
  const own: Record<string, PathItem> = {};
  for (const [name, variable] of extensionsOf(edition)) {
    own[`/${extensionPrefix}${name}`] = variablePath(variable, edition, extensionTag.name);
  }
  return {
    ...own,
    ...eventPaths(edition, extensionTag.name),
    '/x/stored': {
      get: {
        operationId: 'readStoredSet',
        tags: [extensionTag.name],
        summary: 'The stored parameters: the values after a power cut.',
        responses: responsesOf(
          envelopeResponse('`data` contains each stored value under its name.', {
            data: closedObjectOf(Object.fromEntries(stored.map(({ name }) => [name, schemaOf(name)]))),
          }),
        ),
        'x-user-level': 'open',
      },
    },
    '/metrics': {
      get: {
        operationId: 'readMetrics',
        tags: [extensionTag.name],
        summary: 'Metrics for Prometheus: requests, logins, saves, connections, memory.',
        responses: responsesOf({
          description: 'Metrics in the text format of Prometheus.',
          content: { 'text/plain': { schema: { type: 'string' } } },
        }),
        'x-user-level': 'open',
      },
    },
    ...(StartScanMerge.isIn(edition) ? { '/cloud.pcd': pointCloud } : {}),
    '/healthz': {
      get: {
        operationId: 'readHealth',
        tags: [extensionTag.name],
        summary: 'Whether the scanner is up, and its release.',
        responses: responsesOf({
          description: 'It is up.',
          content: {
            'application/json': {
              schema: closedObjectOf({
                status: { type: 'string', const: 'ok' },
                release: { type: 'string', const: edition.version ?? edition.release },
              }),
            },
          },
        }),
        'x-user-level': 'open',
      },
    },
  };
}
