import type { MeasuringCore } from '../interfaces/measuring-core.js';
import { processingLater } from './processing-later.js';

/** A core, or how it is made when it is needed for the first time. */
export type CoreSource = MeasuringCore | (() => Promise<MeasuringCore>);

/** Can this be used as a core? What comes from a module of somebody's own may be anything. */
export function isMeasuringCore(candidate: unknown): candidate is MeasuringCore {
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    'start' in candidate &&
    typeof candidate.start === 'function' &&
    'stop' in candidate &&
    typeof candidate.stop === 'function' &&
    (!('motion' in candidate) || candidate.motion === undefined || typeof candidate.motion === 'function')
  );
}

/**
 * Keeps a core, once it is there: a scanner that nobody asks to measure does without. What its scans go through is
 * loaded together with it.
 */
export class CoreInPlace {
  readonly #source: CoreSource;
  readonly #failed: (error: unknown) => void;
  #core: MeasuringCore | undefined;
  #making: Promise<MeasuringCore | undefined> | undefined;

  /**
   * @param failed is told when the core could not be made
   * @throws TypeError for a source that is no core
   */
  constructor(source: CoreSource, failed: (error: unknown) => void) {
    this.#source = source;
    this.#failed = failed;
    if (typeof source !== 'function') this.#core = checked(source);
  }

  get core(): MeasuringCore | undefined {
    return this.#core;
  }

  /** Can it be started at once? */
  get isReady(): boolean {
    return this.#core !== undefined && processingLater.part !== undefined;
  }

  /** The core, fit to be started; where it is not yet, it is made, and `ready` called then. */
  need(ready: () => void): MeasuringCore | undefined {
    if (this.isReady) return this.#core;
    if (this.#making === undefined) {
      void this.made().then((core) => {
        if (core !== undefined) ready();
      });
    }
    return undefined;
  }

  /** The core, made where it is not there yet; undefined where that fails. */
  made(): Promise<MeasuringCore | undefined> {
    this.#making ??= this.#make().finally(() => {
      // One that could not be made is asked for again by the next one who needs it.
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<MeasuringCore | undefined> {
    try {
      await processingLater.untilLoaded(this.#failed);
      if (this.#core === undefined && typeof this.#source === 'function')
        this.#core = checked(await this.#source());
    } catch (error) {
      this.#failed(error);
    }
    return this.#core;
  }
}

/** Programs in plain JavaScript may have forgotten it. @throws TypeError */
function checked(core: MeasuringCore): MeasuringCore {
  if (isMeasuringCore(core)) return core;
  throw new TypeError('a measuring core expected, with the methods start and stop');
}
