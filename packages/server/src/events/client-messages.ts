import {
  discardRules,
  isObject,
  longestOutputInterval,
  mostInQueue,
  priorities,
  usualRegistration,
} from '@azimuth/model';
import { longestEventName } from './limits.js';
import type { RequestedOptions } from './registrations.js';
import type { Priority, QueueRules } from './send-queue.js';

/** Members of a message that its response repeats, if the message has them. */
export interface Echo {
  readonly type: string;
  readonly event?: string;
  readonly clientId?: number;
}

/** A request of a client. */
export type Message =
  | {
      readonly kind: 'register';
      readonly event: string;
      readonly clientId: number;
      readonly requested: RequestedOptions;
    }
  | { readonly kind: 'deregister'; readonly event: string; readonly clientId: number }
  | { readonly kind: 'wrong'; readonly echo: Echo; readonly error: string };

/** Error for a message that is not valid. The text states the reason. */
class MessageError extends Error {
  override readonly name = 'Wrong';
}

/** Parses a message of a client. Never throws. */
export function messageOf(text: string): Message {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'wrong', echo: { type: 'error' }, error: 'The message is not valid JSON.' };
  }
  if (!isObject(json)) {
    return { kind: 'wrong', echo: { type: 'error' }, error: 'Expected a JSON object.' };
  }
  try {
    return read(json);
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return { kind: 'wrong', echo: echoOf(json), error: error.message };
  }
}

type Members = Readonly<Record<string, unknown>>;

function read(json: Members): Message {
  const { type, event, clientId, options } = json;
  if (type !== 'register' && type !== 'deregister') {
    throw new MessageError(`type: expected "register" or "deregister", got ${shown(type)}.`);
  }
  if (typeof event !== 'string')
    throw new MessageError(`event: expected the name of an event, got ${shown(event)}.`);
  if (event.length > longestEventName)
    throw new MessageError(`event: there is no event with a name of ${event.length} letters.`);
  if (typeof clientId !== 'number' || !Number.isSafeInteger(clientId)) {
    throw new MessageError(`clientId: expected a whole number, got ${shown(clientId)}.`);
  }
  return type === 'register'
    ? { kind: type, event, clientId, requested: requestedOptions(options) }
    : { kind: type, event, clientId };
}

function requestedOptions(options: unknown): RequestedOptions {
  const { throttle, queue } = membersOf('options', options, ['throttle', 'queue']);
  const { minOutputIntervalMs = usualRegistration.minOutputIntervalMs } = membersOf(
    'options.throttle',
    throttle,
    ['minOutputIntervalMs'],
  );
  return {
    minOutputInterval: integerOf(
      'options.throttle.minOutputIntervalMs',
      minOutputIntervalMs,
      0,
      longestOutputInterval,
    ),
    queue: queueOf(queue),
  };
}

function queueOf(queue: unknown): QueueRules {
  const name = 'options.queue';
  const members = membersOf(name, queue, ['priority', 'maxSize', 'discardIfFull']);
  const { priority, maxSize, discardIfFull } = { ...usualRegistration, ...members };
  return {
    priority: oneOf<Priority>(`${name}.priority`, priority, priorities),
    maxSize: integerOf(`${name}.maxSize`, maxSize, 1, mostInQueue),
    discardIfFull: oneOf(`${name}.discardIfFull`, discardIfFull, discardRules),
  };
}

function membersOf(name: string, value: unknown, known: readonly string[]): Members {
  if (value === undefined) return {};
  if (!isObject(value)) throw new MessageError(`${name}: expected an object, got ${shown(value)}.`);
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown === undefined) return value;
  throw new MessageError(`${name}: ${shown(unknown)} is not an option; the options are ${known.join(', ')}.`);
}

function integerOf(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new MessageError(`${name}: expected a whole number in ${least}..${most}, got ${shown(value)}.`);
}

function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const choice = allowed.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new MessageError(`${name}: expected one of ${allowed.join(', ')}, got ${shown(value)}.`);
}

/** Objects and arrays are not shown: they may be nested too deeply to be serialised. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : JSON.stringify(value).slice(0, longestEventName);
}

function echoOf({ type, event, clientId }: Members): Echo {
  return {
    type: isShort(type) ? type : 'error',
    event: isShort(event) ? event : undefined,
    clientId: typeof clientId === 'number' ? clientId : undefined,
  };
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestEventName;
}
