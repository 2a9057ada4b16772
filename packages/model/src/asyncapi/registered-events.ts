import type { Variable } from '../declaration.js';
import { isObject } from '../envelope.js';
import {
  discardRules,
  longestOutputInterval,
  mostInQueue,
  priorities,
  usualRegistration,
} from '../event-registration.js';
import { eventsOf } from '../interface.js';
import { dataSchema } from '../openapi/endpoints.js';
import { closedObjectOf, objectOf } from '../openapi/envelope.js';
import type { Edition } from '../product.js';
import type { JsonSchema } from '../types/schema.js';
import type { Message } from './document.js';

/** Names of the messages that a channel has for one event. */
export const messageNames = {
  registered: (event: string) => `${event}Registered`,
  changed: (event: string) => `${event}Changed`,
} as const;

const json = 'application/json';
const byClient = { $ref: '#/components/correlationIds/clientId' };

/** What a message of a registration has in common with its other messages. */
export const correlationIds = {
  clientId: {
    location: '$message.payload#/clientId',
    description: 'A number that the client chooses. All messages for its registration contain it.',
  },
};

const clientId: JsonSchema = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: correlationIds.clientId.description,
};

const options: JsonSchema = closedObjectOf(
  {
    throttle: closedObjectOf(
      {
        minOutputIntervalMs: {
          type: 'integer',
          minimum: 0,
          maximum: longestOutputInterval,
          default: usualRegistration.minOutputIntervalMs,
          description: 'Shortest time between two values.',
          'x-unit': 'ms',
        },
      },
      ['minOutputIntervalMs'],
    ),
    queue: closedObjectOf(
      {
        priority: {
          type: 'string',
          enum: priorities,
          default: usualRegistration.priority,
          description: 'Values of a higher priority are sent first and discarded last.',
        },
        maxSize: {
          type: 'integer',
          minimum: 1,
          maximum: mostInQueue,
          default: usualRegistration.maxSize,
          description: 'Number of values that may wait while the client reads too slowly.',
        },
        discardIfFull: {
          type: 'string',
          enum: discardRules,
          default: usualRegistration.discardIfFull,
          description: 'Value that is discarded if the queue is full.',
        },
      },
      ['priority', 'maxSize', 'discardIfFull'],
    ),
  },
  ['throttle', 'queue'],
);

/** Returns the messages of clients: they begin and end registrations. */
export function clientMessages(edition: Edition): Record<'register' | 'deregister', Message> {
  const names = [...eventsOf(edition).keys()];
  const [first] = names;
  const event: JsonSchema = { type: 'string', enum: names, description: 'Name of the event.' };
  const message = (
    type: string,
    title: string,
    summary: string,
    more: Readonly<Record<string, JsonSchema>>,
  ) => ({
    name: type,
    title,
    summary,
    contentType: json,
    payload: objectOf({ type: { type: 'string', const: type }, event, clientId, ...more }, Object.keys(more)),
    correlationId: byClient,
    examples: [{ name: type, payload: { type, event: first, clientId: 1 } }],
  });
  return {
    register: message(
      'register',
      'Begin a registration',
      'Asks for the value of an event, now and after each change. The same event with the same clientId replaces the registration.',
      { options },
    ),
    deregister: message('deregister', 'End a registration', 'Ends a registration. It has no response.', {}),
  };
}

/** Response to what the scanner cannot do. It repeats the members of the message that are valid. */
export const refused: Message = {
  name: 'refused',
  title: 'Refusal',
  summary: 'The message of the client was refused. The connection and its other registrations continue.',
  contentType: json,
  payload: closedObjectOf(
    {
      type: { type: 'string', description: 'The type of the refused message; `error` if it has none.' },
      event: { type: 'string', description: 'The event of the refused message.' },
      clientId: { type: 'number', description: 'The clientId of the refused message.' },
      status: { type: 'integer', const: 1 },
      error: { type: 'string', minLength: 1, description: 'What was expected, and what came.' },
    },
    ['event', 'clientId'],
  ),
  correlationId: byClient,
  examples: [
    {
      name: 'noSuchEvent',
      payload: {
        type: 'register',
        event: 'X',
        clientId: 2,
        status: 1,
        error: 'Failed to register event "X". Does the event exist?',
      },
    },
    {
      name: 'noJson',
      payload: { type: 'error', status: 1, error: 'The message is not valid JSON.' },
    },
  ],
};

/** Returns the messages of the scanner for one event: the response with the value at that time, and each change. */
export function eventMessages(variable: Variable<unknown>, edition: Edition): Record<string, Message> {
  const { registered, changed } = messageNames;
  const { name } = variable;
  return {
    [registered(name)]: valueMessage(variable, edition, {
      type: 'register',
      name: registered(name),
      title: `${name}: registered`,
      summary: `The registration is done. The value now: ${variable.facts.text}`,
    }),
    [changed(name)]: valueMessage(variable, edition, {
      type: 'event',
      name: changed(name),
      title: `${name}: changed`,
      summary: variable.facts.text,
    }),
  };
}

function valueMessage(
  variable: Variable<unknown>,
  edition: Edition,
  { type, ...texts }: Pick<Message, 'name' | 'title' | 'summary'> & { readonly type: string },
): Message {
  const { name: event } = variable;
  return {
    ...texts,
    contentType: json,
    payload: closedObjectOf({
      type: { type: 'string', const: type },
      event: { type: 'string', const: event },
      clientId,
      status: { type: 'integer', const: 0 },
      data: dataSchema(variable, edition),
    }),
    correlationId: byClient,
    examples: [
      { name: texts.name, payload: { type, event, clientId: 1, status: 0, data: dataOf(variable, edition) } },
    ],
  };
}

/** The value from the factory, as a read gives it. */
function dataOf(variable: Variable<unknown>, { release, version }: Edition): Record<string, unknown> {
  const value = variable.factoryValue({ release, createdWith: release, version });
  return { [variable.name]: value, ...(isObject(value) ? value : {}) };
}
