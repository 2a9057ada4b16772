import { variable } from './compared-servers.js';
import type { GetJob, LoadResult, PostJob, Posts } from './load/jobs.js';
import { login, responses } from './load/rest-messages.js';
import type { Bench } from './measurement.js';
import type { Server } from './processes/server.js';

/** Seconds of the same load before the measured time. */
function warmupOf(seconds: number): number {
  return Math.min(0.3, seconds / 2);
}

interface Extent {
  readonly connections: number;
  readonly seconds: number;
}

/** Repeats GETs of some paths in turn. Every response must have this `body`. */
export function get(
  { load }: Bench,
  { port, pid }: Server,
  what: Pick<GetJob, 'paths' | 'body'>,
  extent: Extent,
): Promise<LoadResult> {
  return load.run({ kind: 'get', port, pid, ...what, ...extent, warmup: warmupOf(extent.seconds) });
}

/** Each write has another value than the one before. */
export const writing: Posts = {
  endpoint: variable,
  payloads: Array.from({ length: 16 }, (_, hall) => JSON.stringify({ [variable]: `Hall ${hall + 10}` })),
  response: responses.written,
};

/** Saves, each of a changed value. */
export const saving: Posts & Pick<PostJob, 'before'> = {
  endpoint: 'WriteEeprom',
  payloads: [],
  response: responses.saved,
  before: writing,
};

/** Repeats authenticated POSTs. */
export function post(
  { load }: Bench,
  { port, pid }: Server,
  what: Posts & Pick<PostJob, 'before'>,
  extent: Extent,
): Promise<LoadResult> {
  return load.run({
    kind: 'post',
    port,
    pid,
    ...login,
    ...what,
    ...extent,
    warmup: warmupOf(extent.seconds),
  });
}
