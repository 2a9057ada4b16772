import { atMost } from '@azimuth/async';
import { scannersPath } from '../port/scanner-path.js';
import {
  itIsSilent,
  type WorkerAddress,
  type WorkerAnswer,
  type WorkerConnections,
} from './worker-connections.js';

/** ms that a client waits for what a worker tells of itself. */
const patience = 1000;

/** What a worker answers at once. */
const nothing = `${scannersPath}?serials=`;

/** What workers have answered, and which of them have not. */
export interface Told {
  readonly answers: readonly { readonly worker: WorkerAddress; readonly content: unknown }[];
  /** The URLs of those that have not answered in time. */
  readonly silent: ReadonlySet<string>;
}

/**
 * Asks workers about the scanners that they run. One that is silent keeps nobody from what the others tell: it is waited for once,
 * and then not before it has answered again.
 */
export class ToldByWorkers {
  readonly #connections: WorkerConnections;
  /** The URLs of workers that have not answered in time. */
  readonly #silent = new Set<string>();
  /** Those of them that are being asked whether they answer again. */
  readonly #tried = new Set<string>();

  constructor(connections: WorkerConnections) {
    this.#connections = connections;
  }

  /** @param paths what each worker is asked for. One that answers with an error, as one that has just ended, tells nothing */
  async ask(paths: ReadonlyMap<WorkerAddress, string>): Promise<Told> {
    const silent = new Set<string>();
    const answers = await Promise.all(
      [...paths].map(async ([worker, path]) => {
        const answer = await this.#askOne(worker, path);
        if (answer === undefined) silent.add(worker.url);
        return answer?.ok === true ? [{ worker, content: answer.content }] : [];
      }),
    );
    return { answers: answers.flat(), silent };
  }

  /** @returns undefined if it is silent */
  async #askOne(worker: WorkerAddress, path: string): Promise<WorkerAnswer | undefined> {
    if (this.#silent.has(worker.url)) {
      void this.#try(worker);
      return undefined;
    }
    let answer: WorkerAnswer | undefined;
    const answered = this.#connections.ask(worker, path).then((one) => {
      answer = one;
    });
    await atMost(patience, answered);
    if (answer === undefined) this.#silent.add(worker.url);
    return answer;
  }

  async #try(worker: WorkerAddress): Promise<void> {
    if (this.#tried.has(worker.url)) return;
    this.#tried.add(worker.url);
    const { status, content } = await this.#connections.ask(worker, nothing, undefined, patience);
    this.#tried.delete(worker.url);
    // One that has ended says so.
    if (status !== 0 || content !== itIsSilent) this.#silent.delete(worker.url);
  }
}
