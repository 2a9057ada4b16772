import { drive } from './drive.js';
import type { Exchange } from './exchange.js';
import type { GetJob, LoadResult } from './jobs.js';
import { getRequest } from './requests.js';

/** Each connection asks again as soon as it is answered; every body is compared. */
export function getLoad(job: GetJob): Promise<LoadResult> {
  const request = getRequest(job.path);
  return drive(job, (exchange: Exchange, again, window) => {
    let begun = 0;
    const answered = (body: string) => {
      if (body !== job.body) throw new Error(`another body than expected: ${body.slice(0, 200)}`);
      window.count(begun, begun);
      if (again()) ask();
    };
    const ask = () => {
      begun = performance.now();
      exchange.ask(request, answered);
    };
    ask();
  });
}
