import type { MeasuringCore, Motion } from '../interfaces/measuring-core.js';

/** A core, or a function that creates it on first use. */
export type CoreSource = MeasuringCore | (() => Promise<MeasuringCore>);

/** True if a value is a core. A module of a device maker may export anything. */
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

/** Holds the core. The core is created on first use, so a scanner that never measures has none. */
export class CoreHolder {
  readonly #source: CoreSource;
  readonly #failed: (error: unknown) => void;
  #core: MeasuringCore | undefined;
  #making: Promise<MeasuringCore | undefined> | undefined;

  /**
   * @param failed called when the core could not be created
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

  /** The core. If it does not exist yet, it is created, and `ready` is called then. */
  need(ready: () => void): MeasuringCore | undefined {
    if (this.#core === undefined && this.#making === undefined) {
      void this.made().then((core) => {
        if (core !== undefined) ready();
      });
    }
    return this.#core;
  }

  /** The core. It is created if it does not exist yet. Undefined if that fails. */
  made(): Promise<MeasuringCore | undefined> {
    this.#making ??= this.#make().finally(() => {
      // The next call after a failure tries again.
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

/** The motion of a scanner that stands still and upright: gravity alone. */
export const atRest: Motion = {
  acceleration: [0, 0, 9.81],
  angularVelocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
};

/** @throws TypeError for a distance that is no finite number */
export function checkedDistance(metres: number): number {
  if (Number.isFinite(metres)) return metres;
  throw new TypeError('expected a finite number of m travelled');
}

/** Maximum number of a motion: telegrams carry single precision. */
const largest = 1e6;

/**
 * The motion that a core reports.
 * @throws TypeError for other values: a core in plain JavaScript may return anything
 */
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
