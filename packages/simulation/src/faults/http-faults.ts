import type { Clock } from '@azimuth/device';
import type { HttpFaults, RequestFault, ResponseFault } from '@azimuth/device/faults';
import type { PlannedFault } from '@azimuth/model/faults';
import type { HttpKind, Occurrence, OccurrenceOf, OccurrencesOf } from './occurrence.js';

/** The planned faults of HTTP. Latencies add up. If several faults change one response, the first in the plan happens. */
export class PlannedHttpFaults implements HttpFaults {
  readonly #occurrences: OccurrencesOf<HttpKind>;
  readonly #silences: Silences;

  /** @param silences the silences that have begun; they continue if the plan changes */
  constructor(occurrences: OccurrencesOf<HttpKind>, silences: Silences) {
    this.#occurrences = occurrences;
    this.#silences = silences;
  }

  of(path: string, method: string): RequestFault | undefined {
    let latency = 0;
    let response: ResponseFault | undefined;
    for (const occurrence of this.#occurrences) {
      const { fault, random } = occurrence;
      if (!concernsRequest(fault, path, method) || !this.#occurs(occurrence)) continue;
      if (fault.kind === 'http-latency') latency += fault.latency + random.uniform() * fault.jitter;
      else response ??= responseFaultOf(fault);
    }
    return latency === 0 && response === undefined ? undefined : { latency, response };
  }

  #occurs(occurrence: OccurrenceOf<HttpKind>): boolean {
    const { fault } = occurrence;
    return fault.kind === 'http-silence' ? this.#silences.covers(occurrence, fault) : occurrence.occurs();
  }
}

function concernsRequest(
  { endpoint, method }: PlannedFault<HttpKind>,
  path: string,
  requestMethod: string,
): boolean {
  if (method !== 'any' && method !== requestMethod) return false;
  return endpoint === '*' || namesOf(path).some((name) => matchesEndpoint(name, endpoint));
}

/** Returns the names that a plan can use for a path: `LocationName` for `/api/LocationName`, `x/stored` for `/x/stored`. */
function namesOf(path: string): readonly string[] {
  return [path, path.slice(1), ...(path.startsWith('/api/') ? [path.slice('/api/'.length)] : [])];
}

function matchesEndpoint(name: string, endpoint: string): boolean {
  return endpoint.endsWith('*') ? name.startsWith(endpoint.slice(0, -1)) : name === endpoint;
}

function responseFaultOf(fault: PlannedFault<Exclude<HttpKind, 'http-latency'>>): ResponseFault {
  switch (fault.kind) {
    case 'http-status':
      return { kind: 'status', status: fault.status, httpStatus: fault.httpStatus };
    case 'http-429':
      return { kind: 'busy', retryAfter: fault.retryAfter };
    case 'http-truncated':
      return { kind: 'truncated', bytes: fault.bytes };
    case 'http-reset':
      return { kind: 'reset', handled: fault.handled };
    case 'http-half-open':
      return { kind: 'unanswered', handled: fault.handled };
    case 'http-silence':
      return { kind: 'unanswered', handled: false };
    case 'http-slow-body':
      return { kind: 'slow', rate: fault.rate };
  }
}

interface Silence {
  /** Times of the last requests with a response, ms of the monotonic clock. */
  readonly responseTimes: number[];
  /** End of the silence: until then no request gets a response. */
  until: number;
}

/** The silences that follow too many requests, one for each fault. They continue if the plan changes. */
export class Silences {
  readonly #clock: Clock;
  readonly #states = new WeakMap<Occurrence, Silence>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True if the request that has just come gets no response. */
  covers(occurrence: Occurrence, { requests, within, silence }: PlannedFault<'http-silence'>): boolean {
    const now = this.#clock.monotonic();
    const state = this.#states.get(occurrence) ?? { responseTimes: [], until: now };
    this.#states.set(occurrence, state);
    // A silence that has begun lasts its full time, even if the fault is over.
    if (now < state.until) return true;
    if (occurrence.state !== 'active') return false;
    while ((state.responseTimes[0] ?? now) <= now - within) state.responseTimes.shift();
    if (state.responseTimes.length < requests) {
      state.responseTimes.push(now);
      return false;
    }
    if (!occurrence.occurs()) return false;
    state.responseTimes.length = 0;
    state.until = now + silence;
    return true;
  }
}
