import { isObject } from '../json.js';
import {
  type FirstResponseJob,
  isFirstResponseResult,
  isLoadResult,
  type Job,
  type LoadJob,
  type LoadResult,
} from '../load/jobs.js';
import { program } from './child-program.js';
import { type Child, cores, end, start } from './children.js';

/** The process that generates the load. It is the same for all servers, so that its code is compiled for all. */
export class LoadProcess {
  readonly #child: Child;

  constructor() {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    this.#child = start({ core: cores.load, command: program('load'), stdio: [...stdio] });
  }

  async run(job: LoadJob): Promise<LoadResult> {
    const result = await this.#do(job);
    if (!isLoadResult(result)) throw new Error('the load process sent an unexpected result');
    return result;
  }

  /** Milliseconds of the shared clock at the first response. */
  async firstResponse(job: Omit<FirstResponseJob, 'kind'>): Promise<number> {
    const result = await this.#do({ kind: 'first-response', ...job });
    if (!isFirstResponseResult(result)) throw new Error('the load process sent an unexpected result');
    return result.at;
  }

  async close(): Promise<void> {
    await end(this.#child);
  }

  #do(job: Job): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const exited = () => reject(new Error('the load process has ended'));
      this.#child.once('exit', exited);
      this.#child.once('message', (message: unknown) => {
        this.#child.off('exit', exited);
        if (isObject(message) && typeof message.error === 'string') reject(new Error(message.error));
        else resolve(message);
      });
      this.#child.send(job);
    });
  }
}
