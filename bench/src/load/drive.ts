import { Exchange, type Reading } from './exchange.js';
import type { LoadJob, LoadResult } from './jobs.js';
import { Window } from './window.js';

/**
 * Keeps one connection at work, from now on. After each operation it asks `again` whether there is to be another; a
 * `no` is said once to each, and it has nothing outstanding then.
 */
export type Worker = (exchange: Exchange, again: () => boolean, window: Window) => void;

/** Opens the connections of a job, sets a worker on each, and lets all finish what they have begun. */
export async function drive(job: LoadJob, work: Worker, reading?: Reading): Promise<LoadResult> {
  const window = new Window();
  const exchanges: Exchange[] = [];
  let going = true;
  let atWork = job.connections;
  let finished = () => {};
  const done = new Promise<void>((resolve) => {
    finished = resolve;
  });
  let fail: (error: Error) => void = () => {};
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // It may come before anybody waits for it; whoever opens the connection is told all the same.
  failure.catch(() => undefined);
  const again = () => {
    if (!going && --atWork === 0) finished();
    return going;
  };
  try {
    for (let count = 0; count < job.connections; count++) {
      exchanges.push(await Exchange.open(job.port, fail, reading));
    }
    for (const exchange of exchanges) work(exchange, again, window);
    const result = await Promise.race([window.measure(job), failure]);
    going = false;
    await Promise.race([done, failure]);
    return result;
  } finally {
    for (const exchange of exchanges) exchange.close();
  }
}
