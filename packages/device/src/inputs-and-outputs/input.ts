import { InputSensitivity, PortLogic, type ValueOf } from '@azimuth/model';
import { Debounced } from './debounced.js';

export type PortSettings = ValueOf<'PortConfiguration'>[number];
type InputSettings = PortSettings['InputSettings'];

/**
 * A port as an input. A level counts once it has lasted for Debounce. With LEVEL the input is active while its level
 * is; with EDGE it becomes active by an edge only, so that a level which was there before does not count.
 */
export class Input {
  readonly #level: Debounced;
  #settings: InputSettings;
  #active: boolean;

  /** @param high the level that is there: it counts at once. */
  constructor(settings: InputSettings, high: boolean) {
    this.#settings = settings;
    this.#level = new Debounced(high);
    this.#active = this.#asFound();
  }

  /** The level that counts. */
  get high(): boolean {
    return this.#level.counted;
  }

  get active(): boolean {
    return this.#active;
  }

  /** Another logic or sensitivity takes the level as it finds it; the rest goes on. */
  configure(settings: InputSettings): void {
    const { Logic, Sensitivity } = this.#settings;
    this.#settings = settings;
    if (settings.Logic !== Logic || settings.Sensitivity !== Sensitivity) this.#active = this.#asFound();
  }

  /** @returns ms until the level counts; Infinity where there is nothing to wait for */
  follow(high: boolean, now: number): number {
    const before = this.high;
    const wait = this.#level.follow(high, now, this.#settings.Debounce);
    if (this.high !== before) this.#active = isActive(this.#settings, this.high);
    return wait;
  }

  #asFound(): boolean {
    return this.#settings.Sensitivity === InputSensitivity.LEVEL && isActive(this.#settings, this.high);
  }
}

/** Is this level the active one? */
export function isActive({ Logic }: InputSettings, high: boolean): boolean {
  return high === (Logic === PortLogic.ACTIVE_HIGH);
}
