import { isObject } from '@azimuth/model';
import { jsonIn } from '../control/json-in.js';
import type { RequestPassed, ResponsePassed } from '../timeline/timeline-entry.js';
import { longestDelay } from './limits.js';
import type { SessionEntry } from './session-line.js';

/** A response of a session. */
export interface RecordedAnswer {
  readonly response: ResponsePassed;
  /** ms from the request to the end of its response. */
  readonly delay: number;
}

/** A request, as far as it decides which response it gets: without headers, and without the proof of a login. */
export type MatchedRequest = Pick<RequestPassed, 'method' | 'path' | 'body' | 'unkept'> & {
  /** True if it asks for a WebSocket. */
  readonly isUpgrade: boolean;
};

/**
 * The responses of a session. The same request gets the same responses, in their order, and then the last one again. Requests
 * are the same if method, path and `data` are. Logins are not checked: a challenge is that of the session, and whatever
 * response is computed of it has the effect that it had.
 */
export class RecordedAnswers {
  readonly #answers = new Map<string, RecordedAnswer[]>();

  constructor(entries: readonly SessionEntry[]) {
    const requests = new Map<number, RequestPassed>();
    for (const entry of entries) {
      if (entry.kind === 'request') requests.set(entry.id, entry);
      if (entry.kind !== 'response') continue;
      const request = requests.get(entry.id);
      if (request === undefined) continue;
      requests.delete(entry.id);
      const key = keyOf({ ...request, isUpgrade: asksForWebSocket(request.headers) });
      const answer = { response: entry, delay: delayBetween(request.at, entry.at) };
      const before = this.#answers.get(key);
      if (before === undefined) this.#answers.set(key, [answer]);
      else before.push(answer);
    }
  }

  /** Returns the next response to this request; undefined if it was never made. */
  next(request: MatchedRequest): RecordedAnswer | undefined {
    const answers = this.#answers.get(keyOf(request));
    return answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
  }
}

/** Returns the delay in ms between two times of a session, within its bounds. @param from, @param to µs */
export function delayBetween(from: number, to: number): number {
  return Math.min(Math.max(0, (to - from) / 1000), longestDelay);
}

function asksForWebSocket(headers: readonly string[]): boolean {
  return headers.some(
    (name, index) =>
      index % 2 === 0 &&
      name.toLowerCase() === 'upgrade' &&
      headers[index + 1]?.toLowerCase() === 'websocket',
  );
}

function keyOf({ method, path, body, unkept, isUpgrade }: MatchedRequest): string {
  const verb = isUpgrade ? 'WebSocket' : method;
  return `${verb} ${path}\n${contentOf({ method, body, unkept })}`;
}

/** Returns what of a body counts. A body of the interface that is not kept may hold the proof of a login, which differs. */
function contentOf({ method, body, unkept }: Pick<RequestPassed, 'method' | 'body' | 'unkept'>): string {
  if (unkept !== undefined) return method === 'POST' ? '' : `${unkept.length} ${unkept.sha256}`;
  if (body.length === 0) return '';
  const json = jsonIn(body);
  return isObject(json) ? inOneOrder(json.data) : Buffer.from(body).toString();
}

/** Returns JSON whose members are in the order of their names. */
export function inOneOrder(json: unknown): string {
  const ordered = (_: string, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  return JSON.stringify(json, ordered) ?? '';
}
