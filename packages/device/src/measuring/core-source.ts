import type { MeasuringCore, Motion } from '../interfaces/hardware.js';

/** A core, or a function that makes it when it is needed for the first time. */
export type CoreSource = MeasuringCore | (() => Promise<MeasuringCore>);

/** Whether a value is a core: a module of a device maker may export anything. */
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
 * Keeps the core. It is made when it is needed for the first time, so a scanner that is not asked to measure has none.
 */
export class CoreHolder {
  readonly #source: CoreSource;
  readonly #failed: (error: unknown) => void;
  #core: MeasuringCore | undefined;
  #making: Promise<MeasuringCore | undefined> | undefined;

  /**
   * @param failed is called when the core could not be made
   * @throws TypeError if the source is not a core
   */
  constructor(source: CoreSource, failed: (error: unknown) => void) {
    this.#source = source;
    this.#failed = failed;
    if (typeof source !== 'function') this.#core = checked(source);
  }

  get core(): MeasuringCore | undefined {
    return this.#core;
  }

  /** The core; if it does not exist yet, it is made, and `ready` is called then. */
  need(ready: () => void): MeasuringCore | undefined {
    if (this.#core === undefined && this.#making === undefined) {
      void this.made().then((core) => {
        if (core !== undefined) ready();
      });
    }
    return this.#core;
  }

  /** The core, made if it does not exist yet; undefined if that fails. */
  made(): Promise<MeasuringCore | undefined> {
    this.#making ??= this.#make().finally(() => {
      // After a failure, the next call tries again.
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<MeasuringCore | undefined> {
    try {
      if (this.#core === undefined && typeof this.#source === 'function') {
        this.#core = checked(await this.#source());
      }
    } catch (error) {
      this.#failed(error);
    }
    return this.#core;
  }
}

/** Programs in plain JavaScript may pass anything. @throws TypeError */
function checked(core: MeasuringCore): MeasuringCore {
  if (isMeasuringCore(core)) return core;
  throw new TypeError('expected a measuring core with the methods start and stop');
}

/** The motion of a scanner that stands still and upright: only gravity. */
export const atRest: Motion = {
  acceleration: [0, 0, 9.81],
  angularVelocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
};

/** The largest number of a motion: telegrams carry single precision. */
const largest = 1e6;

/** The motion that a core reports. @throws TypeError if it is none: a core in plain JavaScript may return anything */
export function checkedMotion(motion: Motion): Motion {
  if (motion instanceof Promise) {
    motion.catch(() => undefined);
    throw new TypeError('expected a motion, got a promise');
  }
  const { acceleration, angularVelocity, orientation } = motion;
  for (const [name, numbers, count] of [
    ['acceleration', acceleration, 3],
    ['angularVelocity', angularVelocity, 3],
    ['orientation', orientation, 4],
  ] as const) {
    const isRight = Array.from({ length: count }, (_, at) => numbers[at]).every(
      (number) => typeof number === 'number' && Math.abs(number) <= largest,
    );
    if (!isRight) throw new TypeError(`${name}: expected ${count} finite numbers`);
  }
  return motion;
}
