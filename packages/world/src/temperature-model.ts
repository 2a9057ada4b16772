import type { Clock, MeasuringState } from '@azimuth/device';

/** °C above the surroundings that the scanner comes to, by what it does: laser and motor make most of the heat. */
const heating: Readonly<Record<MeasuringState, number>> = { measuring: 10.5, stopped: 8, standby: 4 };
/** °C. */
const usualAmbient = 22;
/** ms in which the difference to where it goes becomes 1/e of what it was. */
const timeConstant = 15 * 60_000;
/** °C: so near it has arrived. */
const arrived = 0.05;
/** ms. */
const lookEvery = 10_000;

/**
 * The temperature inside a virtual scanner. Power finds it as warm as its surroundings; from then on it goes to what its
 * surroundings and its own work make it, by T(t) = T∞ + (T0 - T∞) · exp(-t / 15 min). It is computed when somebody asks.
 */
export class TemperatureModel {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #ambient: number;
  #state: MeasuringState = 'measuring';
  /** °C, at `#settledAt`. */
  #from: number;
  #settledAt: number;
  #fixed: number | undefined;
  /** What `changed` knows of. */
  #told: number;
  #cancel: (() => void) | undefined;

  /**
   * @param changed is called when the temperature is another one: at most every 10 s while it goes by itself, and at once
   * after `fix`. No timer runs when it has arrived, or is fixed.
   * @param ambient °C
   */
  constructor(clock: Clock, changed: () => void, ambient = usualAmbient) {
    this.#clock = clock;
    this.#changed = changed;
    this.#ambient = ambient;
    this.#from = ambient;
    this.#settledAt = clock.monotonic();
    this.#told = this.celsius;
    this.#book();
  }

  /** °C, as a sensor with steps of 0.1 °C tells it; what it was fixed to as it is. */
  get celsius(): number {
    return this.#fixed ?? Math.round((this.#hasArrived ? this.#goal : this.#exact) * 10) / 10;
  }

  /** What the scanner does from now on: measuring makes it warmer than standby. */
  works(state: MeasuringState): void {
    if (state === this.#state) return;
    this.#settle();
    this.#state = state;
    this.#book();
  }

  /** The surroundings have another temperature (°C) from now on. */
  surround(ambient: number): void {
    this.#settle();
    this.#ambient = ambient;
    this.#book();
  }

  /** Stays at this temperature (°C); undefined: goes its own way again, from where it is. */
  fix(celsius: number | undefined): void {
    this.#settle();
    if (celsius === undefined && this.#fixed !== undefined) this.#from = this.#fixed;
    this.#fixed = celsius;
    this.#look();
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  get #goal(): number {
    return this.#ambient + heating[this.#state];
  }

  get #exact(): number {
    const passed = this.#clock.monotonic() - this.#settledAt;
    return this.#goal + (this.#from - this.#goal) * Math.exp(-passed / timeConstant);
  }

  get #hasArrived(): boolean {
    return Math.abs(this.#exact - this.#goal) < arrived;
  }

  #settle(): void {
    this.#from = this.#exact;
    this.#settledAt = this.#clock.monotonic();
  }

  #book(): void {
    this.#cancel?.();
    const rests = this.#fixed !== undefined || (this.#hasArrived && this.#told === this.celsius);
    this.#cancel = rests ? undefined : this.#clock.after(lookEvery, () => this.#look());
  }

  #look(): void {
    this.#tell();
    this.#book();
  }

  #tell(): void {
    if (this.celsius === this.#told) return;
    this.#told = this.celsius;
    this.#changed();
  }
}
