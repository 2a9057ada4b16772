import { Variable } from '../declaration.js';
import { changesPath, extensionPrefix, extensionsOf, parametersOf, scanPath } from '../extensions/index.js';
import { declarationsOf } from '../interface.js';
import { closedObjectOf, schemaOf } from '../openapi/envelope.js';
import type { Edition } from '../product.js';
import type { JsonSchema } from '../types/schema.js';
import type { Channel, Message } from './document.js';

/** Returns the messages of the WebSockets that only Azimuth has. */
export function ownMessages(edition: Edition): Record<'changes' | 'lost' | 'segment', Message> {
  const values = valuesOf(edition);
  return {
    changes: {
      name: 'changes',
      title: 'Changes',
      summary: 'The variables that changed together, with their values.',
      contentType: 'application/json',
      payload: closedObjectOf({
        changed: {
          ...closedObjectOf(values, Object.keys(values)),
          minProperties: 1,
        },
      }),
      examples: [{ name: 'written', payload: { changed: exampleOf(edition) } }],
    },
    lost: {
      name: 'lost',
      title: 'Lost changes',
      summary: 'Number of changes that were dropped because the client read too slowly.',
      contentType: 'application/json',
      payload: closedObjectOf({ lost: { type: 'integer', minimum: 1 } }),
      examples: [{ name: 'slow', payload: { lost: 42 } }],
    },
    segment: {
      name: 'segment',
      title: 'Segment of a scan',
      summary: 'One segment of a scan: a Compact telegram of type 1, with signal strengths and properties.',
      contentType: 'application/octet-stream',
      payload: { type: 'string', format: 'binary' },
    },
  };
}

/** The values of all variables, under the names that clients use. */
function valuesOf(edition: Edition): Record<string, JsonSchema> {
  const variables = declarationsOf(edition).filter((member) => member instanceof Variable);
  return Object.fromEntries([
    ...variables.map(({ name }) => [name, schemaOf(name)]),
    ...[...extensionsOf(edition).keys()].map((name) => [extensionPrefix + name, schemaOf(name)]),
  ]);
}

/** A change of the first parameter, to its value from the factory. */
function exampleOf(edition: Edition): Record<string, unknown> {
  const { release, version } = edition;
  return Object.fromEntries(
    parametersOf(edition)
      .slice(0, 1)
      .map((variable) => [variable.name, variable.factoryValue({ release, createdWith: release, version })]),
  );
}

const ws = { method: 'GET', bindingVersion: '0.1.0' } as const;

/** WebSockets that only Azimuth has, in every release. */
export const ownChannels: Readonly<Record<'changes' | 'scans', Omit<Channel, 'messages'>>> = {
  changes: {
    address: changesPath,
    title: 'Every change',
    description:
      'Reports each change of every variable, without registration. Variables that change continuously are reported only to clients that name them.',
    bindings: {
      ws: {
        ...ws,
        query: {
          type: 'object',
          properties: {
            names: { type: 'string', description: 'Names of the variables to report, separated by commas.' },
          },
        },
      },
    },
    'x-extension': true,
  },
  scans: {
    address: scanPath,
    title: 'Live scans',
    description: 'Sends the scans of the scanner, whatever its data streams send and to whom.',
    bindings: { ws },
    'x-extension': true,
  },
};
