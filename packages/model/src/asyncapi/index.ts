/** @packageDocumentation @internal */

import { Variable } from '../declaration.js';
import { extensionsOf } from '../extensions/index.js';
import { cybersecurity } from '../groups/cybersecurity.js';
import { declarationsOf, eventsOf, eventsPath } from '../interface.js';
import { valueSchema } from '../openapi/endpoints.js';
import { type Edition, editionFacts } from '../product.js';
import type { JsonSchema } from '../types/schema.js';
import {
  type AsyncApiDocument,
  type Channel,
  type Message,
  type Operation,
  type Reference,
  responseMember,
} from './document.js';
import { ownChannels, ownMessages } from './own-channels.js';
import { clientMessages, correlationIds, eventMessages, messageNames, refused } from './registered-events.js';

export type { AsyncApiDocument } from './document.js';

/**
 * Describes the WebSockets of exactly this release and variant, from the declarations: the events of the interface
 * (specification, Events), and in addition every change and live scans. Schemas of values are those of the OpenAPI.
 */
export function asyncApi(edition: Edition): AsyncApiDocument {
  const { product, variant } = edition;
  const release = edition.version ?? edition.release;
  const hasEvents = eventsOf(edition).size > 0;
  const own = ownMessages(edition);
  const document: AsyncApiDocument = {
    asyncapi: '3.0.0',
    info: {
      title: `Events of ${product === undefined ? 'a 2D laser scanner' : product.name}, release ${release}, variant ${variant}`,
      version: release,
      description: description(edition),
      license: { name: 'MIT' },
      'x-edition': editionFacts(edition),
    },
    defaultContentType: 'application/json',
    servers: {
      http: serverOf('ws', '127.0.0.1:8080', 'The HTTP port of the scanner.'),
      ...(hasHttps(edition)
        ? { https: serverOf('wss', '127.0.0.1:8443', 'The HTTPS port of the scanner, if it is on.') }
        : {}),
    },
    channels: {
      ...(hasEvents ? { events: eventChannel(edition) } : {}),
      changes: { ...ownChannels.changes, messages: inComponents(['changes', 'lost']) },
      scans: { ...ownChannels.scans, messages: inComponents(['segment']) },
    },
    operations: {
      ...(hasEvents ? eventOperations(edition) : {}),
      reportChanges: sends('changes', 'Report changes', 'Sends each change.', ['changes', 'lost']),
      sendScans: sends('scans', 'Send scans', 'Sends each segment of each scan.', ['segment']),
    },
    components: {
      schemas: valueSchemas(edition),
      messages: hasEvents ? { ...messagesOfEvents(edition), ...own } : own,
      correlationIds,
    },
  };
  // Absent members are removed, because programs check for them.
  const json: AsyncApiDocument = JSON.parse(JSON.stringify(document));
  return json;
}

/** True if the release has HTTPS (specification, Versioning 10). */
function hasHttps(edition: Edition): boolean {
  const { name } = cybersecurity.members.httpsStatus;
  return declarationsOf(edition).some((member) => member.name === name);
}

function serverOf(protocol: 'ws' | 'wss', address: string, text: string) {
  return {
    host: '{address}',
    pathname: '{path}',
    protocol,
    description: text,
    variables: {
      address: { default: address, description: 'Address and port of the scanner.' },
      path: { default: '', description: 'Empty; for a scanner of a fleet, /scanners/SERIAL.' },
    },
  };
}

function messagesOfEvents(edition: Edition): Record<string, Message> {
  const ofEvents = [...eventsOf(edition).values()].map((variable) => eventMessages(variable, edition));
  return Object.assign({ ...clientMessages(edition), refused }, ...ofEvents);
}

function eventChannel(edition: Edition): Channel {
  return {
    address: eventsPath,
    title: 'Events',
    description: `Sends the values of the events for which a client registers. \`/api${eventsPath}\` is the same.`,
    messages: inComponents(Object.keys(messagesOfEvents(edition))),
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
  };
}

function eventOperations(edition: Edition): Record<string, Operation> {
  const { register, deregister } = clientMessages(edition);
  const names = [...eventsOf(edition).keys()];
  const receives = (message: Message): Operation => ({
    action: 'receive',
    channel: { $ref: '#/channels/events' },
    title: message.title,
    summary: message.summary,
    messages: ofChannel('events', [message.name]),
    'x-user-level': 'open',
  });
  const answers = ofChannel('events', [...names.map(messageNames.registered), refused.name]);
  return {
    register: {
      ...receives(register),
      [responseMember]: { channel: { $ref: '#/channels/events' }, messages: answers },
    },
    deregister: receives(deregister),
    sendEvents: sends(
      'events',
      'Send events',
      'Sends the value of each registration after each change.',
      names.map(messageNames.changed),
    ),
    refuse: sends('events', refused.title, 'Answers a message that has no valid form.', [refused.name]),
  };
}

function sends(channel: string, title: string, summary: string, messages: readonly string[]): Operation {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    title,
    summary,
    messages: ofChannel(channel, messages),
    'x-user-level': 'open',
  };
}

/** A channel refers to messages of the components, and an operation to those of its channel. */
function inComponents(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]));
}

function ofChannel(channel: string, names: readonly string[]): Reference[] {
  return names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` }));
}

function valueSchemas(edition: Edition): Record<string, JsonSchema> {
  const variables = [...declarationsOf(edition), ...extensionsOf(edition).values()].filter(
    (declaration) => declaration instanceof Variable,
  );
  return Object.fromEntries(variables.map((variable) => [variable.name, valueSchema(variable, edition)]));
}

function description({ variant, release, version }: Edition): string {
  return `Exactly what a scanner of release ${version ?? release}, variant \`${variant}\`, sends. Other releases and variants differ.
\`/openapi.json\` describes its parameters, methods and files.

The WebSockets need no login. A device closes the connection of a client that does not offer compression
(permessage-deflate), with 1002.

The scanner answers each registration: status 0 comes with the value at that time, status 1 with the reason of the
refusal. A message that is binary is answered by closing the connection with 1003, and one over the size limit with 1009.

## Marks

\`x-extension\` (only Azimuth has this WebSocket, no device), \`x-user-level\` (\`open\` for everybody), and in schemas those of
\`/openapi.json\`.
`;
}
