import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { FleetProcess } from '@azimuth/test-support/fleet-process';

/** ms between two attempts to start a worker while the database is away. */
const againMilliseconds = 200;

/** Starts a worker, and another one whenever it has ended. */
export class WorkerSlot {
  /** The worker that runs; undefined while the next one starts. */
  current: FleetProcess | undefined;
  isPaused = false;
  starts = 0;
  readonly #start: () => Promise<FleetProcess>;
  readonly #note: (what: string) => void;
  /** A signal was sent that ends it. */
  #isMeantToEnd = false;

  /** @param note told what happens */
  constructor(start: () => Promise<FleetProcess>, note: (what: string) => void) {
    this.#start = start;
    this.#note = note;
  }

  /** @throws Error if a worker ends that nobody has ended */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      let worker: FleetProcess;
      try {
        worker = await this.#start();
      } catch (error) {
        if (!String(error).includes('does not answer')) throw error;
        await pause(againMilliseconds);
        continue;
      }
      this.starts++;
      this.#isMeantToEnd = false;
      this.isPaused = false;
      this.current = worker;
      const { child } = worker;
      this.#note(`${child.pid} has started`);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      this.current = undefined;
      this.#note(`${child.pid} has ended`);
      if (!this.#isMeantToEnd)
        throw new Error(
          `a worker has ended by itself, with ${child.exitCode ?? child.signalCode}: ${worker.log.text.slice(-2000)}`,
        );
    }
  }

  /** Can something be done to it? */
  get isReady(): boolean {
    return this.current !== undefined && !this.#isMeantToEnd;
  }

  end(signal: 'SIGKILL' | 'SIGTERM'): void {
    this.#isMeantToEnd = true;
    this.current?.child.kill(signal);
  }

  /** Stops it for a while, as a machine does that is suspended. */
  async pause(milliseconds: number): Promise<void> {
    const paused = this.current;
    if (paused === undefined) return;
    this.isPaused = true;
    paused.child.kill('SIGSTOP');
    await pause(milliseconds);
    paused.child.kill('SIGCONT');
    if (this.current === paused) this.isPaused = false;
  }
}

/** MB of memory that a process has now; undefined if it has ended. */
export function residentMegabytes(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}
