// The load, as a process of its own: takes jobs from whoever has started it, one at a time.

import { getLoad, postLoad } from '../load/http-load.js';
import { type FirstAnswerResult, isJob, type Job, type LoadResult, type UploadResult } from '../load/jobs.js';
import { legacyLoad } from '../load/legacy-load.js';
import { firstAnswer, upload } from '../load/single-requests.js';

function run(job: Job): Promise<LoadResult | FirstAnswerResult | UploadResult> {
  switch (job.kind) {
    case 'get':
      return getLoad(job);
    case 'post':
      return postLoad(job);
    case 'legacy':
      return legacyLoad(job);
    case 'first-answer':
      return firstAnswer(job);
    case 'upload':
      return upload(job);
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
