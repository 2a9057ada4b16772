import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { doubledPause, pause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import type { WorkerAddress } from '@azimuth/fleet';
import { isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { ownProgram } from '../own-program.js';

/** Delay in ms before an ended part is started again. It doubles after each failed start, up to the maximum. */
const startAgainAfter = 1000;
const maxPause = 30_000;

interface Options {
  /** The command line after `azimuth`. */
  readonly words: readonly string[];
  readonly log: Log;
  /** The key that signs requests to it. */
  readonly key: string;
}

/** The environment variable with this key for the part. */
export const partKey = 'AZIMUTH_PART_KEY';

/** State of a part. It goes from `ended` to `starting` to `running`, and from both back to `ended`. */
type State =
  | { readonly is: 'ended' }
  | { readonly is: 'starting'; readonly child: ChildProcess }
  | { readonly is: 'running'; readonly child: ChildProcess; readonly address: WorkerAddress };

/**
 * The process of a part of a fleet. If it ends by itself, it is started again: for its scanners this is a power cut.
 */
export class PartProcess {
  readonly #options: Options;
  #state: State = { is: 'ended' };
  readonly #closing = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The address for requests; undefined while it does not run. */
  get address(): WorkerAddress | undefined {
    return this.#state.is === 'running' ? this.#state.address : undefined;
  }

  /** @throws CommandFailure if it does not start; its log has the reason */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...ownProgram(), ...this.#options.words], {
      // The part ends with this process in any case: then the other end of its stdin is closed.
      stdio: ['pipe', 'pipe', 'inherit'],
      // No other user can read it there.
      env: { ...process.env, [partKey]: this.#options.key },
    });
    this.#state = { is: 'starting', child };
    const url = await readyUrl(child);
    if (url === undefined) {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      this.#state = { is: 'ended' };
      const problem = 'a process of the fleet could not start; its message is above';
      // Reports the error as if this process had found it in its options.
      throw child.exitCode === 2 ? new CommandFailure(problem) : new CommandFailure(problem, 'refused');
    }
    this.#state = { is: 'running', child, address: { url } };
    child.once('exit', (code, signal) => void this.#ended(code ?? signal));
  }

  /** Ends it, and waits until it has stored everything. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#state.is === 'ended') return;
    const { child } = this.#state;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    // It ends when its stdin is closed.
    child.stdin?.end();
    await exited;
  }

  async #ended(how: unknown): Promise<void> {
    this.#state = { is: 'ended' };
    const { signal } = this.#closing;
    if (signal.aborted) return;
    this.#options.log.error('A process of the fleet has ended; it is started again', { how: String(how) });
    for (let failures = 0; !signal.aborted && this.address === undefined; failures++) {
      await pause(doubledPause(startAgainAfter, failures, maxPause), signal);
      if (!signal.aborted) await this.start().catch(() => undefined);
    }
  }
}

/** Returns the URL in the ready line; undefined if the process ends without one. */
async function readyUrl(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const ready: unknown = JSON.parse(line);
    // Later lines are not read: there are none.
    child.stdout.resume();
    return isObject(ready) && typeof ready.url === 'string' ? ready.url : undefined;
  }
  return undefined;
}
