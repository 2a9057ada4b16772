import type { Bench } from './bench.js';
import type { GetJob, LegacyJob, LoadResult, PostJob } from './load/jobs.js';
import { login } from './login.js';
import type { Server } from './processes/server.js';
import { replies } from './replies.js';
import { variable } from './subjects.js';

/** Seconds of the same load before the measured time. */
function warmupOf(seconds: number): number {
  return Math.min(0.3, seconds / 2);
}

interface Extent {
  readonly connections: number;
  readonly seconds: number;
}

/** The load of one GET over and over. `body` is what has to come each time. */
export function get(
  { load }: Bench,
  { port, pid }: Server,
  what: Pick<GetJob, 'path' | 'body'>,
  extent: Extent,
): Promise<LoadResult> {
  return load.run({ kind: 'get', port, pid, ...what, ...extent, warmup: warmupOf(extent.seconds) });
}

/** The load of one request of the legacy protocol over and over. */
export function legacy(
  { load }: Bench,
  { port, pid }: { readonly port: number; readonly pid: number },
  what: Pick<LegacyJob, 'login' | 'request' | 'answer'>,
  extent: Extent,
): Promise<LoadResult> {
  return load.run({ kind: 'legacy', port, pid, ...what, ...extent, warmup: warmupOf(extent.seconds) });
}

/** What is posted over and over, and what has to answer it. */
type Posts = Pick<PostJob, 'endpoint' | 'payloads' | 'reply'>;

/** Each write brings another value than the one before. */
export const writing: Posts = {
  endpoint: variable,
  payloads: Array.from({ length: 16 }, (_, hall) => JSON.stringify({ [variable]: `Hall ${hall + 10}` })),
  reply: replies.written,
};

export const saving: Posts = { endpoint: 'WriteEeprom', payloads: [], reply: replies.saved };

/** The load of authenticated POSTs over and over. */
export function post(
  { load }: Bench,
  { port, pid }: Server,
  what: Posts,
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
