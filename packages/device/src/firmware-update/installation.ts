import { Timeout } from '../clock/timeout.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { FirmwareInstaller } from '../interfaces/hardware/index.js';
import { errorMessage } from '../lifecycle/unexpected-errors.js';
import type { Pieces } from './firmware-container.js';

/** ms without a piece of the file and without progress, after which an installation has failed. */
export const longestStandstill = 600_000;

interface Options {
  readonly installer: FirmwareInstaller;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with each new whole percentage, 1 to 100. */
  readonly advanced: (percent: number) => void;
}

/** One run of the installer of a device maker. */
export class Installation {
  readonly #options: Options;
  readonly #standstill: Timeout;
  readonly #end = new AbortController();
  #percent = 0;
  #hasLoggedWrongProgress = false;

  constructor(options: Options) {
    this.#options = options;
    this.#standstill = new Timeout(options.clock);
  }

  /**
   * Runs the installer, once. `result` rejects as the installer does, and earlier if it stands still or is cancelled.
   * `ended` is fulfilled when the installer itself has ended.
   */
  run(file: Pieces): { readonly result: Promise<void>; readonly ended: Promise<void> } {
    const { installer } = this.#options;
    const { signal } = this.#end;
    const install = async () =>
      installer.install(this.#watched(file), (percent) => this.#advance(percent), signal);
    this.#awaitProgress();
    const work = install();
    const result = new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      work.then(resolve, reject);
    }).finally(() => {
      this.#standstill.stop();
      // Reads of the file throw from now on.
      this.cancel('the installation has ended');
    });
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    return { result, ended };
  }

  cancel(reason: string): void {
    this.#end.abort(new Error(reason));
  }

  async *#watched(file: Pieces): AsyncGenerator<Uint8Array> {
    for await (const piece of file) {
      this.#end.signal.throwIfAborted();
      this.#awaitProgress();
      yield piece;
    }
  }

  #advance(percent: unknown): void {
    if (this.#end.signal.aborted) return;
    const isPercentage = typeof percent === 'number' && percent >= 0 && percent <= 100;
    if (!isPercentage) {
      this.#logWrongProgress(percent);
      return;
    }
    const whole = Math.floor(percent);
    if (whole <= this.#percent) return;
    this.#percent = whole;
    this.#awaitProgress();
    this.#options.advanced(whole);
  }

  #logWrongProgress(percent: unknown): void {
    if (this.#hasLoggedWrongProgress) return;
    this.#hasLoggedWrongProgress = true;
    const reason = `expected a number from 0 to 100, got ${errorMessage(percent)}`;
    this.#options.log.error('The installer of the firmware states a wrong progress; the last one stays', {
      reason,
    });
  }

  #awaitProgress(): void {
    if (this.#end.signal.aborted) return;
    this.#standstill.set(longestStandstill, () =>
      this.cancel(`the installer has made no progress for ${longestStandstill / 60_000} min`),
    );
  }
}
