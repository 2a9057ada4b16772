import { setTimeout } from 'node:timers/promises';
import { cpuSeconds, waitedSeconds } from '../proc.js';
import type { LoadResult } from './jobs.js';
import { Latencies } from './latencies.js';

interface Facts {
  readonly pid: number;
  readonly warmup: number;
  readonly seconds: number;
}

/** The measured time of a load: what is answered within it counts, all else does not. */
export class Window {
  readonly #operations = new Latencies();
  readonly #last = new Latencies();
  #isOpen = false;

  /** An operation is done: when (ms) it and its last request were begun. */
  count(begun: number, lastBegun: number): void {
    if (!this.#isOpen) return;
    const now = performance.now();
    this.#operations.add(now - begun);
    this.#last.add(now - lastBegun);
  }

  /** Opens after the warm-up, and tells what was counted when it closes. */
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
