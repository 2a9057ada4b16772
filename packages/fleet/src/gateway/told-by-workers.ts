import { atMost } from '@azimuth/async';
import { scannersPath } from '../port/scanner-path.js';
import {
  itIsSilent,
  type WorkerAddress,
  type WorkerAnswer,
  type WorkerConnections,
} from './worker-connections.js';

/** ms that a client waits for the report of a worker. */
const patience = 1000;

/** A query that a worker answers at once. */
const nothing = `${scannersPath}?serials=`;

/** The responses of workers, and the workers without a response. */
export interface Told {
  readonly answers: readonly { readonly worker: WorkerAddress; readonly content: unknown }[];
  /** The URLs of workers that have not responded in time. */
  readonly silent: ReadonlySet<string>;
}

/**
 * Queries workers about the scanners that they run. A worker that does not respond delays nobody else: clients wait for it
 * once, and then only after it has responded again.
 */
export class ToldByWorkers {
  readonly #connections: WorkerConnections;
  /** The URLs of workers that have not responded in time. */
  readonly #silent = new Set<string>();
  /** Workers of these that are being probed again. */
  readonly #tried = new Set<string>();

  constructor(connections: WorkerConnections) {
    this.#connections = connections;
  }

  /**
   * Sends queries. @param paths the path for each worker. If a worker responds with an error, because it has just ended, it
   * reports nothing
   */
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

  /** @returns undefined if the worker does not respond */
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
    // A worker that has ended says so.
    if (status !== 0 || content !== itIsSilent) this.#silent.delete(worker.url);
  }
}
