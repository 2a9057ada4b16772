import type { Log } from '../ports/host.js';
import type { MeasuringCore } from '../ports/measuring-core.js';

/** A core, or how it is made when it is needed for the first time. */
export type CoreSource = MeasuringCore | (() => Promise<MeasuringCore>);

/** Keeps a core, once it is there: a scanner that nobody asks to measure does without. */
export class CoreInPlace {
  readonly #source: CoreSource;
  readonly #log: Log;
  #core: MeasuringCore | undefined;
  #loading = false;

  constructor(source: CoreSource, log: Log) {
    this.#source = source;
    this.#log = log;
    if (typeof source !== 'function') this.#core = source;
  }

  get core(): MeasuringCore | undefined {
    return this.#core;
  }

  /** The core; where it is not there yet, it is made, and `ready` called then. */
  need(ready: () => void): MeasuringCore | undefined {
    if (this.#core !== undefined || this.#loading) return this.#core;
    this.#loading = true;
    void this.#make().then(ready);
    return undefined;
  }

  /** A core that cannot be made is asked for again by the next one who needs it. */
  async #make(): Promise<void> {
    try {
      if (typeof this.#source === 'function') this.#core = await this.#source();
    } catch (error) {
      this.#log.error('The measuring core could not be made', { reason: String(error) });
    } finally {
      this.#loading = false;
    }
  }
}
