import { isDeepStrictEqual } from 'node:util';
import { Timeout } from '../clock/timeout.js';
import type { Feature } from '../feature.js';
import type { Clock } from '../interfaces/environment.js';
import type { Hardware } from '../interfaces/hardware.js';

/** ms between two looks at the hardware. */
const interval = 1000;

interface Options {
  readonly clock: Clock;
  readonly hardware: Hardware;
  /** Called when what they are named after has changed. */
  readonly temperatureChanged: () => void;
  readonly encoderSpeedChanged: () => void;
  readonly contaminationChanged: () => void;
  readonly systemPlugChanged: () => void;
}

/** What the hardware measures. */
interface Readings {
  readonly temperature: number;
  readonly encoderSpeed: number | undefined;
  readonly contamination: readonly number[] | undefined;
  readonly systemPlug: unknown;
}

/**
 * Looks every second at hardware that does not tell its changes, so that alarms, events and counters follow it. No timer runs
 * for hardware that does.
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
