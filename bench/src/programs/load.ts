// The load, as a process of its own: takes jobs from whoever has started it, one at a time.

import { firstResponse } from '../load/first-response.js';
import { getLoad, postLoad } from '../load/http-load.js';
import { type FirstResponseResult, isJob, type Job, type LoadResult } from '../load/jobs.js';

function run(job: Job): Promise<LoadResult | FirstResponseResult> {
  switch (job.kind) {
    case 'get':
      return getLoad(job);
    case 'post':
      return postLoad(job);
    case 'first-response':
      return firstResponse(job);
  }
}

process.on('message', (message) => {
  if (!isJob(message)) throw new Error('no job');
  run(message).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());
