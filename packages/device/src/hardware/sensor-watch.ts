import { isDeepStrictEqual } from 'node:util';
import { Timeout } from '../clock/timeout.js';
import type { Feature } from '../feature.js';
import type { Clock } from '../interfaces/environment.js';
import type { ContainedHardware } from './contained-hardware.js';

/** ms between two polls of the hardware. */
const interval = 1000;

interface Options {
  readonly clock: Clock;
  readonly hardware: ContainedHardware;
  /** Called when the values in their names have changed. */
  readonly temperatureChanged: () => void;
  readonly encoderSpeedChanged: () => void;
  readonly contaminationChanged: () => void;
  readonly systemPlugChanged: () => void;
  readonly leaseChanged: () => void;
}

/** Measured values of the hardware. */
interface Readings {
  readonly temperature: number;
  readonly encoderSpeed: number | undefined;
  readonly contamination: readonly number[] | undefined;
  readonly systemPlug: unknown;
}

/**
 * Polls hardware that does not report its changes every second, so that alarms, events and counters follow it. Runs no
 * timer for other hardware.
 */
export class SensorWatch implements Feature {
  readonly #options: Options;
  #last: Readings | undefined;
  readonly #next: Timeout;
  #isUp = false;

  constructor(options: Options) {
    this.#options = options;
    this.#next = new Timeout(options.clock);
  }

  boot(): void {
    this.#isUp = true;
    this.#last = this.#readings;
    this.resume();
  }

  down(): void {
    this.#isUp = false;
    this.pause();
  }

  pause(): void {
    this.#next.stop();
  }

  resume(): void {
    if (!this.#isUp || this.#options.hardware.tellsChanges === true || this.#next.isSet) return;
    this.#next.set(interval, () => {
      this.resume();
      this.#poll();
    });
  }

  #poll(): void {
    const before = this.#last;
    const now = this.#readings;
    this.#last = now;
    const { temperatureChanged, encoderSpeedChanged, contaminationChanged, systemPlugChanged } =
      this.#options;
    if (now.temperature !== before?.temperature) temperatureChanged();
    if (now.encoderSpeed !== before?.encoderSpeed) encoderSpeedChanged();
    if (!isDeepStrictEqual(now.contamination, before?.contamination)) contaminationChanged();
    if (now.systemPlug !== before?.systemPlug) systemPlugChanged();
    this.#options.leaseChanged();
  }

  get #readings(): Readings {
    const { hardware } = this.#options;
    return {
      temperature: hardware.temperature(),
      encoderSpeed: hardware.encoderSpeed?.(),
      contamination: hardware.contamination?.(),
      systemPlug: hardware.systemPlug?.(),
    };
  }
}
