import type { Json, Matcher } from '../../match/matcher.js';
import { type EventStep, pause, receiveEvent, type Step, sendEvent } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';

/** A case about events, without what all of them have. */
export type EventCase = Omit<ConformanceCase, 'needs' | 'stage' | 'releases'> & Partial<ConformanceCase>;

/** Completes a case: events exist from release 2.3.1 on. */
export function eventCase(one: EventCase): ConformanceCase {
  return { stage: 'read', needs: ['events'], releases: { since: '2.3.1' }, ...one };
}

export const is = (value: Json): Matcher => ({ is: value });

/** Seconds between two registrations: devices end the connection if they come faster than 200 ms. */
const apart = 0.25;

/** Sends a registration, late enough after the one before. */
export function register(
  event: string,
  clientId: Json,
  options?: Json,
  connection?: string,
): readonly Step[] {
  const message = { type: 'register', event, clientId, ...(options === undefined ? {} : { options }) };
  return [pause(apart), sendEvent(message, {}, connection)];
}

/** Sends a registration, and takes its response, which has to be a success. */
export function registered(
  event: string,
  clientId: number,
  options?: Json,
  connection?: string,
): readonly Step[] {
  return [
    ...register(event, clientId, options, connection),
    receiveEvent({ has: { status: is(0) } }, { of: responseOf(event, clientId) }, connection),
  ];
}

/** Ends a registration. It has no response. */
export function deregister(event: string, clientId: number, connection?: string): EventStep {
  return sendEvent({ type: 'deregister', event, clientId }, {}, connection);
}

/** The response to a registration. */
export function responseOf(event: string, clientId: number): Matcher {
  return { has: { type: is('register'), event: is(event), clientId: is(clientId) } };
}

/** A value that is sent for a registration. */
export function eventOf(event: string, clientId: number): Matcher {
  return { has: { type: is('event'), event: is(event), clientId: is(clientId) } };
}
