import { setTimeout } from 'node:timers/promises';
import { cpuSeconds, waitedSeconds } from '../proc.js';
import { Connection } from './connection.js';
import type { LoadJob, LoadResult } from './jobs.js';
import { Latencies } from './latencies.js';

/**
 * Starts the operations of one connection. After each one the worker calls `again` and begins another only if it
 * returns true. `again` returns false once for each connection.
 */
export type Worker = (connection: Connection, again: () => boolean, window: Window) => void;

/** Opens the connections of a job, runs a worker on each, and waits until all have finished. */
export async function runLoad(job: LoadJob, work: Worker): Promise<LoadResult> {
  const window = new Window();
  const opened: Connection[] = [];
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
  // The promise can reject before anything awaits it.
  failure.catch(() => undefined);
  const again = () => {
    if (!going && --atWork === 0) finished();
    return going;
  };
  try {
    for (let count = 0; count < job.connections; count++) {
      opened.push(await Connection.open(job.port, fail));
    }
    for (const connection of opened) work(connection, again, window);
    const result = await Promise.race([window.measure(job), failure]);
    going = false;
    await Promise.race([done, failure]);
    return result;
  } finally {
    for (const connection of opened) connection.close();
  }
}

interface Facts {
  readonly pid: number;
  readonly warmup: number;
  readonly seconds: number;
}

/** The measured time of a load. Only operations that end within it count. */
export class Window {
  readonly #operations = new Latencies();
  readonly #last = new Latencies();
  #isOpen = false;

  /** Counts a finished operation. @param begun when the operation began, ms @param lastBegun when its last request began */
  count(begun: number, lastBegun: number): void {
    if (!this.#isOpen) return;
    const now = performance.now();
    this.#operations.add(now - begun);
    this.#last.add(now - lastBegun);
  }

  /** Opens after the warm-up. Returns the result when the measured time is over. */
  async measure({ pid, warmup, seconds }: Facts): Promise<LoadResult> {
    await setTimeout(warmup * 1000);
    const serverCpu = cpuSeconds(pid);
    const loadCpu = process.cpuUsage();
    const waits = [pid, process.pid].map((each) => ({ each, before: waitedSeconds(each) }));
    const begin = performance.now();
    this.#isOpen = true;
    await setTimeout(seconds * 1000);
    this.#isOpen = false;
    const end = performance.now();
    const { user, system } = process.cpuUsage(loadCpu);
    return {
      operations: this.#operations.total,
      seconds: (end - begin) / 1000,
      p50: this.#operations.quantile(0.5),
      p99: this.#operations.quantile(0.99),
      lastP50: this.#last.quantile(0.5),
      lastP99: this.#last.quantile(0.99),
      serverCpu: cpuSeconds(pid) - serverCpu,
      loadCpu: (user + system) / 1e6,
      waited: Math.max(...waits.map(({ each, before }) => waitedSeconds(each) - before)),
    };
  }
}
