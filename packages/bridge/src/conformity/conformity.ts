import { isObject, type KnownInterface } from '@azimuth/model';
import { jsonIn } from '../control/json-in.js';
import { timeNow } from '../timeline/clock.js';
import type { Timeline } from '../timeline/timeline.js';
import type { TimelineEntry } from '../timeline/timeline-entry.js';
import { EditionSeen } from './edition-seen.js';
import { EventCheck } from './event-check.js';
import { LegacyCheck } from './legacy-check.js';
import type { Mismatch } from './mismatch.js';
import {
  type CheckedRequest,
  checkedRequest,
  responseMismatches,
  valueMismatches,
} from './response-check.js';

/** Requests without a response yet that are remembered. There are never that many: each connection has one. */
const mostRequests = 4096;

/**
 * Checks what passes on a timeline against the interface: responses, events, and telegrams of the legacy protocol. For each
 * thing that the interface does not have, the timeline gets a finding. Data streams are checked where they are passed on.
 * @param known the interface of the scanner. By default, it is that of the model, and the release is learned as soon as a
 * program reads DeviceIdent
 * @returns ends it
 */
export function checkConformity(timeline: Timeline, known?: KnownInterface): () => void {
  const check = new ConformityCheck(known);
  return timeline.follow((entry) => {
    const found = check.mismatches(entry);
    if (found.length === 0) return;
    // All followers get the entry first, and then what is wrong with it.
    queueMicrotask(() => {
      for (const mismatch of found)
        timeline.add({ kind: 'finding', at: timeNow(), of: nameOf(entry), ...mismatch });
    });
  });
}

/** Checks the entries of a timeline one after the other. */
export class ConformityCheck {
  readonly #edition: EditionSeen;
  /** Without bodies, which may be long. */
  readonly #requests = new Map<number, CheckedRequest>();
  readonly #events = new Map<number, EventCheck>();
  readonly #legacy = new Map<number, LegacyCheck>();

  constructor(known?: KnownInterface) {
    this.#edition = new EditionSeen(known);
  }

  /** Returns what of an entry the interface does not have. */
  mismatches(entry: TimelineEntry): readonly Mismatch[] {
    switch (entry.kind) {
      case 'request':
        if (this.#requests.size < mostRequests) this.#requests.set(entry.id, checkedRequest(entry));
        return [];
      case 'response': {
        const request = this.#requests.get(entry.id);
        this.#requests.delete(entry.id);
        if (request === undefined) return [];
        if (request.method === 'GET' && request.path === '/api/DeviceIdent') this.#learn(entry.body);
        return responseMismatches(request, entry, this.#edition);
      }
      case 'opened':
        if (entry.protocol === 'events') this.#events.set(entry.connection, new EventCheck(this.#edition));
        else this.#legacy.set(entry.connection, new LegacyCheck(this.#edition));
        return [];
      case 'closed':
        this.#events.delete(entry.connection);
        this.#legacy.delete(entry.connection);
        return [];
      case 'event':
        return this.#events.get(entry.connection)?.mismatches(entry) ?? [];
      case 'legacy':
        return this.#legacy.get(entry.connection)?.mismatches(entry) ?? [];
      case 'telegram':
      case 'finding':
      case 'fault':
        return [];
    }
  }

  #learn(body: Uint8Array): void {
    const variable = this.#edition.known.variable('DeviceIdent');
    const data = dataIn(body);
    if (variable === undefined || valueMismatches(variable, 'DeviceIdent', data, '').length > 0) return;
    this.#edition.see(isObject(data) ? (data.DeviceIdent ?? data) : undefined);
  }
}

function dataIn(body: Uint8Array): unknown {
  const json = jsonIn(body);
  return isObject(json) ? json.data : undefined;
}

/** Names an entry in a finding. */
function nameOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'response':
      return `response ${entry.id}`;
    case 'event':
      return `WebSocket ${entry.connection}`;
    case 'legacy':
      return `legacy connection ${entry.connection}`;
    default:
      return entry.kind;
  }
}
