import type { HttpFaults, ReplyFault, RequestFault } from '@azimuth/device';
import type { PlannedFault } from '@azimuth/model/faults';
import type { HttpKind, RunOf, RunsOf } from './runs.js';
import type { Silences } from './silences.js';

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
