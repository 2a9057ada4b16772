import type { Log } from '../ports/host.js';
import type { MeasuringCore } from '../ports/measuring-core.js';
import { processingLater } from './processing-later.js';

/** A core, or how it is made when it is needed for the first time. */
export type CoreSource = MeasuringCore | (() => Promise<MeasuringCore>);

/**
 * Keeps a core, once it is there: a scanner that nobody asks to measure does without. What its scans go through is
 * loaded together with it.
 */
export class CoreInPlace {
  readonly #source: CoreSource;
  readonly #log: Log;
  #core: MeasuringCore | undefined;
  #making: Promise<MeasuringCore | undefined> | undefined;

  constructor(source: CoreSource, log: Log) {
    this.#source = source;
    this.#log = log;
    if (typeof source !== 'function') this.#core = source;
  }

  get core(): MeasuringCore | undefined {
    return this.#core;
  }

  /** The core, fit to be started; where it is not yet, it is made, and `ready` called then. */
  need(ready: () => void): MeasuringCore | undefined {
    if (this.#core !== undefined && processingLater.part !== undefined) return this.#core;
    if (this.#making === undefined) void this.made().then(ready);
    return undefined;
  }

  /** The core, made where it is not there yet; undefined where that fails, which the log says. */
  made(): Promise<MeasuringCore | undefined> {
    this.#making ??= this.#make().finally(() => {
      // One that could not be made is asked for again by the next one who needs it.
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<MeasuringCore | undefined> {
    try {
      await processingLater.loaded();
      if (this.#core === undefined && typeof this.#source === 'function') this.#core = await this.#source();
    } catch (error) {
      this.#log.error('The measuring core could not be made', { reason: String(error) });
    }
    return this.#core;
  }
}
