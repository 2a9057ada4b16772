import type { Clock } from '@azimuth/device';
import type { MeasuringState } from '@azimuth/device/cores';

/** °C above ambient that the scanner reaches in each state. Laser and motor make most of the heat. */
const heating: Readonly<Record<MeasuringState, number>> = { measuring: 10.5, stopped: 8, standby: 4 };
/** °C. */
const defaultAmbient = 22;
/** ms in which the difference to the final temperature falls to 1/e. */
const timeConstant = 15 * 60_000;
/** Difference (°C) at which the final temperature counts as reached. */
const tolerance = 0.05;
/** ms between two checks of a changing temperature. */
const checkInterval = 10_000;

/**
 * The temperature inside a virtual scanner. It starts at the ambient temperature and approaches ambient plus the heating of
 * its state by T(t) = T∞ + (T0 - T∞) · exp(-t / 15 min). It is computed at each read.
 */
export class TemperatureModel {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #ambient: number;
  #state: MeasuringState = 'measuring';
  /** °C, at `#startTime`. */
  #startTemperature: number;
  #startTime: number;
  #fixed: number | undefined;
  /** The last temperature for which `changed` was called. */
  #reported: number;
  #cancel: (() => void) | undefined;

  /**
   * @param changed called after a change of the temperature: at most every 10 s while it changes by itself, and at once after
   * `fix`. If the final temperature is reached, or the temperature is fixed, no timer runs.
   * @param ambient °C
   */
  constructor(clock: Clock, changed: () => void, ambient = defaultAmbient) {
    this.#clock = clock;
    this.#changed = changed;
    this.#ambient = ambient;
    this.#startTemperature = ambient;
    this.#startTime = clock.monotonic();
    this.#reported = this.celsius;
    this.#schedule();
  }

  /** °C in steps of 0.1 °C. A fixed temperature is not rounded. */
  get celsius(): number {
    return this.#fixed ?? Math.round((this.#isSteady ? this.#final : this.#exact) * 10) / 10;
  }

  /** Sets the state of the scanner. It is warmer while it measures than in standby. */
  setState(state: MeasuringState): void {
    if (state === this.#state) return;
    this.#startAgain();
    this.#state = state;
    this.#schedule();
  }

  /** Fixes the temperature (°C); undefined: it changes by itself again, from its current value. */
  fix(celsius: number | undefined): void {
    this.#startAgain();
    if (celsius === undefined && this.#fixed !== undefined) this.#startTemperature = this.#fixed;
    this.#fixed = celsius;
    this.#check();
  }

  /** Remembers the temperature. The returned function puts it back, from where it goes on. */
  remember(): () => void {
    const [state, fixed, exact] = [this.#state, this.#fixed, this.#exact];
    return () => {
      this.#state = state;
      this.#fixed = fixed;
      this.#startTemperature = exact;
      this.#startTime = this.#clock.monotonic();
      this.#check();
    };
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  get #final(): number {
    return this.#ambient + heating[this.#state];
  }

  get #exact(): number {
    const passed = this.#clock.monotonic() - this.#startTime;
    return this.#final + (this.#startTemperature - this.#final) * Math.exp(-passed / timeConstant);
  }

  get #isSteady(): boolean {
    return Math.abs(this.#exact - this.#final) < tolerance;
  }

  #startAgain(): void {
    this.#startTemperature = this.#exact;
    this.#startTime = this.#clock.monotonic();
  }

  #schedule(): void {
    this.#cancel?.();
    const needsNoTimer = this.#fixed !== undefined || (this.#isSteady && this.#reported === this.celsius);
    this.#cancel = needsNoTimer ? undefined : this.#clock.after(checkInterval, () => this.#check());
  }

  #check(): void {
    this.#report();
    this.#schedule();
  }

  #report(): void {
    if (this.celsius === this.#reported) return;
    this.#reported = this.celsius;
    this.#changed();
  }
}
