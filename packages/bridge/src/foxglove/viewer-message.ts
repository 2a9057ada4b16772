import { isObject } from '@azimuth/model';
import { deepestValue, longestName, mostNames, mostSetParameters, mostSubscriptions } from './limits.js';

/** A message of a viewer, checked. */
export type ViewerMessage =
  | { readonly op: 'subscribe'; readonly subscriptions: readonly Subscription[] }
  | { readonly op: 'unsubscribe'; readonly subscriptionIds: readonly number[] }
  | { readonly op: 'getParameters' | 'setParameters' }
  | {
      readonly op: 'subscribeParameterUpdates' | 'unsubscribeParameterUpdates';
      readonly parameterNames: readonly string[];
    }
  | { readonly op: 'subscribeConnectionGraph' | 'unsubscribeConnectionGraph' };

export interface Subscription {
  readonly id: number;
  readonly channelId: number;
}

/** A message that the protocol does not allow, or that asks for something that this server does not offer. */
export class WrongMessage extends Error {
  override readonly name = 'WrongMessage';

  constructor(where: string, expected: string, came: unknown) {
    super(`${where}: expected ${expected}, got ${shown(came)}`);
  }
}

/**
 * Checks a message of a viewer: the library that reads it afterwards trusts its form.
 * @throws WrongMessage
 */
export function checkedMessage(data: unknown): ViewerMessage {
  if (typeof data !== 'string') {
    throw new WrongMessage(
      'message',
      'JSON: this server accepts neither messages of viewers nor calls of services',
      'binary data',
    );
  }
  const message = parsed(data);
  if (!isObject(message)) throw new WrongMessage('message', 'a JSON object', message);
  const { op } = message;
  switch (op) {
    case 'subscribe':
      return { op, subscriptions: listIn(message, 'subscriptions', mostSubscriptions, subscriptionAt) };
    case 'unsubscribe':
      return { op, subscriptionIds: listIn(message, 'subscriptionIds', mostSubscriptions, idAt) };
    case 'getParameters':
      listIn(message, 'parameterNames', mostNames, nameAt);
      checkRequestId(message.id);
      return { op };
    case 'setParameters':
      listIn(message, 'parameters', mostSetParameters, checkParameterAt);
      checkRequestId(message.id);
      return { op };
    case 'subscribeParameterUpdates':
    case 'unsubscribeParameterUpdates':
      return { op, parameterNames: listIn(message, 'parameterNames', mostNames, nameAt) };
    case 'subscribeConnectionGraph':
    case 'unsubscribeConnectionGraph':
      return { op };
    default:
      throw new WrongMessage('op', 'an operation that this server offers', op);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongMessage('message', 'JSON', text);
  }
}

function listIn<T>(
  message: Readonly<Record<string, unknown>>,
  member: string,
  most: number,
  itemAt: (value: unknown, where: string) => T,
): readonly T[] {
  const list = message[member];
  if (!Array.isArray(list)) throw new WrongMessage(member, 'a list', list);
  if (list.length > most) throw new WrongMessage(member, `at most ${most} items`, `${list.length} items`);
  return list.map((item: unknown, index) => itemAt(item, `${member}[${index}]`));
}

function subscriptionAt(value: unknown, where: string): Subscription {
  if (!isObject(value)) throw new WrongMessage(where, 'an object', value);
  return {
    id: idAt(value.id, `${where}.id`),
    channelId: idAt(value.channelId, `${where}.channelId`),
  };
}

/** Numbers of subscriptions and channels have 32 bits on the wire. */
function idAt(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
  throw new WrongMessage(where, 'a whole number of 32 bits', value);
}

function nameAt(value: unknown, where: string): string {
  if (typeof value === 'string' && value.length <= longestName) return value;
  throw new WrongMessage(where, `a text of at most ${longestName} characters`, value);
}

function checkParameterAt(value: unknown, where: string): void {
  if (!isObject(value)) throw new WrongMessage(where, 'an object', value);
  nameAt(value.name, `${where}.name`);
  checkDepth(value.value, `${where}.value`, deepestValue);
}

function checkDepth(value: unknown, where: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw new WrongMessage(where, `at most ${deepestValue} levels`, 'a deeper value');
  for (const item of Object.values(value)) checkDepth(item, where, depth - 1);
}

function checkRequestId(id: unknown): void {
  if (id !== undefined) nameAt(id, 'id');
}

/** Returns a value of a viewer for an error: short, on one line. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
