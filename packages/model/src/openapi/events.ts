import { eventsOf } from '../interface.js';
import type { Edition } from '../release.js';
import type { PathItem, Paths } from './document.js';

/** Of the specification, and in none of its groups. */
export const eventsTag = { name: 'Events', description: 'Values that are pushed when they change.' };

/** What OpenAPI can say of a WebSocket: how it is opened. What goes over it stands in words. */
function webSocket(
  tag: string,
  operation: Pick<NonNullable<PathItem['get']>, 'operationId' | 'summary' | 'description'>,
) {
  return {
    tags: [tag],
    ...operation,
    responses: {
      101: { description: 'The connection speaks WebSocket from now on.' },
      426: { description: 'The request is no handshake of a WebSocket.' },
      429: { $ref: '#/components/responses/TooManyRequests' },
    },
    'x-user-level': 'open',
  };
}

/** Where events are pushed and, under the tag of our extensions, every change. */
export function eventPaths(edition: Edition, extensionTag: string): Paths {
  const names = [...eventsOf(edition).keys()];
  const registered: PathItem = {
    get: webSocket(eventsTag.name, {
      operationId: 'openEvents',
      summary: 'A WebSocket that pushes the values of events.',
      description: `Send \`{"type":"register","event":"${names[0]}","clientId":1}\`: the answer tells the value of now, and each change is a message of its own. Events: ${names.join(', ')}.`,
    }),
  };
  const changes = webSocket(extensionTag, {
    operationId: 'openChanges',
    summary: 'A WebSocket that tells every change of every variable.',
    description: 'Each message is `{"changed":{"<Name>":<value>, …}}`: what has changed together.',
  });
  const chosen = {
    name: 'names',
    in: 'query',
    required: false,
    schema: { type: 'string', description: 'The variables to tell of, with commas between them.' },
  } as const;
  return {
    ...(names.length === 0 ? {} : { '/apievents': registered }),
    '/x/events': { get: { ...changes, parameters: [chosen] } },
  };
}
