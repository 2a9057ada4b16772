import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { doubledPause, pause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import type { WorkerAddress } from '@azimuth/fleet';
import { isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';

/** ms until a part that has ended is started again. After each start that fails, twice as many, up to the longest. */
const startAgainAfter = 1000;
const longestPause = 30_000;

interface Options {
  /** The command line behind `azimuth`. */
  readonly words: readonly string[];
  readonly log: Log;
  /** The key that requests to it are signed with. */
  readonly key: string;
}

/** The environment variable in which a part finds the key. */
export const partKey = 'AZIMUTH_PART_KEY';

/** What a part is doing. It goes from `ended` to `starting` to `running`, and from both back to `ended`. */
type State =
  | { readonly is: 'ended' }
  | { readonly is: 'starting'; readonly child: ChildProcess }
  | { readonly is: 'running'; readonly child: ChildProcess; readonly address: WorkerAddress };

/** The process of a part of a fleet. If it ends by itself, it is started again: a power cut to its scanners. */
export class PartProcess {
  readonly #options: Options;
  #state: State = { is: 'ended' };
  readonly #closing = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Where requests reach it; undefined while it does not run. */
  get address(): WorkerAddress | undefined {
    return this.#state.is === 'running' ? this.#state.address : undefined;
  }

  /** @throws CommandFailure if it does not start; its log says why */
  async start(): Promise<void> {
    const [program = ''] = process.argv.slice(1);
    const child = spawn(process.execPath, [program, ...this.#options.words], {
      // It ends with this process, however that ends: then nobody holds the other end of its stdin.
      stdio: ['pipe', 'pipe', 'inherit'],
      // No other user can read it there.
      env: { ...process.env, [partKey]: this.#options.key },
    });
    this.#state = { is: 'starting', child };
    const url = await urlOf(child);
    if (url === undefined) {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      this.#state = { is: 'ended' };
      const problem = 'a process of the fleet could not start; its message is above';
      // As if this process had found what is wrong with its options itself.
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
    // It ends when nobody holds its stdin.
    child.stdin?.end();
    await exited;
  }

  async #ended(how: unknown): Promise<void> {
    this.#state = { is: 'ended' };
    const { signal } = this.#closing;
    if (signal.aborted) return;
    this.#options.log.error('A process of the fleet has ended; it is started again', { how: String(how) });
    for (let failures = 0; !signal.aborted && this.address === undefined; failures++) {
      await pause(doubledPause(startAgainAfter, failures, longestPause), signal);
      if (!signal.aborted) await this.start().catch(() => undefined);
    }
  }
}

/** The URL in the ready line; undefined if the process ends without one. */
async function urlOf(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const ready: unknown = JSON.parse(line);
    // What follows is not read: there is nothing.
    child.stdout.resume();
    return isObject(ready) && typeof ready.url === 'string' ? ready.url : undefined;
  }
  return undefined;
}
