import type { Clock, HttpFaults, ReplyFault, RequestFault } from '@azimuth/device';
import type { PlannedFault } from '@azimuth/model/faults';
import type { HttpKind, Occurrence, RunOf, RunsOf } from './occurrence.js';

/** The planned faults of HTTP. Latencies add up; of several faults of a reply, the first in the plan happens. */
export class PlannedHttpFaults implements HttpFaults {
  readonly #runs: RunsOf<HttpKind>;
  readonly #silences: Silences;

  /** @param silences those that have begun; they go on if the plan changes */
  constructor(runs: RunsOf<HttpKind>, silences: Silences) {
    this.#runs = runs;
    this.#silences = silences;
  }

  of(path: string, method: string): RequestFault | undefined {
    let latency = 0;
    let reply: ReplyFault | undefined;
    for (const run of this.#runs) {
      const { fault, draws } = run;
      if (!concerns(fault, path, method) || !this.#occurs(run)) continue;
      if (fault.kind === 'http-latency') latency += fault.latency + draws.uniform() * fault.jitter;
      else reply ??= replyOf(fault);
    }
    return latency === 0 && reply === undefined ? undefined : { latency, reply };
  }

  #occurs(run: RunOf<HttpKind>): boolean {
    const { fault } = run;
    return fault.kind === 'http-silence' ? this.#silences.covers(run, fault) : run.occurs();
  }
}

function concerns({ endpoint, method }: PlannedFault<HttpKind>, path: string, asked: string): boolean {
  if (method !== 'any' && method !== asked) return false;
  return endpoint === '*' || namesOf(path).some((name) => isMeant(name, endpoint));
}

/** What can be written for a path: `LocationName` for `/api/LocationName`, `x/stored` for `/x/stored`. */
function namesOf(path: string): readonly string[] {
  return [path, path.slice(1), ...(path.startsWith('/api/') ? [path.slice('/api/'.length)] : [])];
}

function isMeant(name: string, endpoint: string): boolean {
  return endpoint.endsWith('*') ? name.startsWith(endpoint.slice(0, -1)) : name === endpoint;
}

function replyOf(fault: PlannedFault<Exclude<HttpKind, 'http-latency'>>): ReplyFault {
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
  /** Times of the last answered requests, ms of the monotonic clock. */
  readonly answered: number[];
  /** Until when nothing is answered. */
  until: number;
}

/** The silences that follow too many requests, one for each fault. They go on if the plan changes. */
export class Silences {
  readonly #clock: Clock;
  readonly #states = new WeakMap<Occurrence, Silence>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the request that has just come get no answer? */
  covers(run: Occurrence, { requests, within, silence }: PlannedFault<'http-silence'>): boolean {
    const now = this.#clock.monotonic();
    const state = this.#states.get(run) ?? { answered: [], until: now };
    this.#states.set(run, state);
    // A silence that has begun lasts its time, also if it is the last one.
    if (now < state.until) return true;
    if (run.state !== 'active') return false;
    while ((state.answered[0] ?? now) <= now - within) state.answered.shift();
    if (state.answered.length < requests) {
      state.answered.push(now);
      return false;
    }
    if (!run.occurs()) return false;
    state.answered.length = 0;
    state.until = now + silence;
    return true;
  }
}
