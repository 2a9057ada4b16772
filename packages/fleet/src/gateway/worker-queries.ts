import { atMost } from '@azimuth/async';
import { scannersPath } from '../port/scanner-path.js';
import {
  noResponseReason,
  type WorkerAddress,
  type WorkerConnections,
  type WorkerResponse,
} from './worker-connections.js';

/** ms that a client waits for the report of a worker. */
const patience = 1000;

/** A query that a worker answers at once. */
const emptyQuery = `${scannersPath}?serials=`;

/** The responses of workers, and the workers without a response. */
export interface WorkerResponses {
  readonly responses: readonly { readonly worker: WorkerAddress; readonly content: unknown }[];
  /** The URLs of workers that have not responded in time. */
  readonly silent: ReadonlySet<string>;
}

/**
 * Queries workers about the scanners that they run. A worker that does not respond delays nobody else: clients wait for it
 * once, and then only after it has responded again.
 */
export class WorkerQueries {
  readonly #connections: WorkerConnections;
  /** The URLs of workers that have not responded in time. */
  readonly #silent = new Set<string>();
  /** Silent workers that are being probed. */
  readonly #probed = new Set<string>();

  constructor(connections: WorkerConnections) {
    this.#connections = connections;
  }

  /**
   * Sends queries. @param paths the path for each worker. If a worker responds with an error, because it has just ended, it
   * reports nothing
   */
  async query(paths: ReadonlyMap<WorkerAddress, string>): Promise<WorkerResponses> {
    const silent = new Set<string>();
    const responses = await Promise.all(
      [...paths].map(async ([worker, path]) => {
        const response = await this.#queryOne(worker, path);
        if (response === undefined) silent.add(worker.url);
        return response?.ok === true ? [{ worker, content: response.content }] : [];
      }),
    );
    return { responses: responses.flat(), silent };
  }

  /** @returns undefined if the worker does not respond */
  async #queryOne(worker: WorkerAddress, path: string): Promise<WorkerResponse | undefined> {
    if (this.#silent.has(worker.url)) {
      void this.#probe(worker);
      return undefined;
    }
    let response: WorkerResponse | undefined;
    const responded = this.#connections.query(worker, path).then((one) => {
      response = one;
    });
    await atMost(patience, responded);
    if (response === undefined) this.#silent.add(worker.url);
    return response;
  }

  async #probe(worker: WorkerAddress): Promise<void> {
    if (this.#probed.has(worker.url)) return;
    this.#probed.add(worker.url);
    const { status, content } = await this.#connections.query(worker, emptyQuery, undefined, patience);
    this.#probed.delete(worker.url);
    // A worker that has ended says so.
    if (status !== 0 || content !== noResponseReason) this.#silent.delete(worker.url);
  }
}
