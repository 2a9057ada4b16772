import { EventVariable, isObject } from '@azimuth/model';
import { jsonIn } from '../control/json-in.js';
import type { EventPassed } from '../timeline/timeline-entry.js';
import type { EditionSeen } from './edition-seen.js';
import { type Mismatch, mismatch, shownJson } from './mismatch.js';
import { valueMismatches } from './response-check.js';

/** Paths of the events of the interface. Others have additions, or nothing. */
const paths: ReadonlySet<string> = new Set(['/apievents', '/api/apievents']);

/** Registrations of a connection that are remembered. A scanner allows 256. */
const mostRegistrations = 1024;

/** Checks the messages of one WebSocket for events. */
export class EventCheck {
  readonly #edition: EditionSeen;
  readonly #registered = new Set<string>();

  constructor(edition: EditionSeen) {
    this.#edition = edition;
  }

  /** Returns what of a message of the scanner the interface does not have. */
  mismatches({ path, direction, message }: EventPassed): readonly Mismatch[] {
    if (!paths.has(path)) return [];
    const json = typeof message === 'string' ? jsonIn(message) : undefined;
    if (direction === 'to scanner') {
      this.#register(json);
      return [];
    }
    if (typeof message !== 'string') return [mismatch('message', 'text', `${message.length} bytes`)];
    if (!isObject(json)) return [mismatch('message', 'a JSON object', message)];
    return this.#ofScanner(json);
  }

  #register(json: unknown): void {
    if (!isObject(json) || json.type !== 'register') return;
    if (this.#registered.size < mostRegistrations) this.#registered.add(keyOf(json));
  }

  #ofScanner(json: Readonly<Record<string, unknown>>): readonly Mismatch[] {
    const { type, event, status, data, error } = json;
    if (type !== 'register' && type !== 'event')
      return [mismatch('type', '"register" or "event"', shownJson(type))];
    if (!this.#registered.has(keyOf(json)) && this.#registered.size < mostRegistrations)
      return [
        mismatch(
          'event and clientId',
          'those of a registration',
          `${shownJson(event)}, ${shownJson(json.clientId)}`,
        ),
      ];
    if (status === 1 && type === 'register')
      return typeof error === 'string' ? [] : [mismatch('error', 'a text', shownJson(error))];
    if (status !== 0) return [mismatch('status', type === 'event' ? '0' : '0 or 1', shownJson(status))];
    if (typeof event !== 'string') return [mismatch('event', 'a text', shownJson(event))];
    const variable = this.#edition.known.variable(event);
    if (variable === undefined || this.#edition.lacks(event))
      return [mismatch('event', 'an event of this release', shownJson(event))];
    if (!(variable instanceof EventVariable))
      return [mismatch('event', 'an event', `${event}, which is a variable without events`)];
    return valueMismatches(variable, event, data, 'data');
  }
}

function keyOf({ event, clientId }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([event, clientId]);
}
