import type { Feature } from '../feature.js';
import type { Log } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { ContainedHardware } from './contained-hardware.js';

/** Number of different errors that are remembered as logged. */
const mostLogged = 100;

interface Options {
  readonly hardware: Pick<ContainedHardware, 'errors'>;
  readonly conditions: Conditions;
  readonly log: Log;
}

/** The errors that the hardware reports: each is a reason of DeviceStatus 7, and a line in the log the first time. */
export class ReportedErrors implements Feature {
  readonly #options: Options;
  #present: ReadonlySet<string> = new Set();
  readonly #logged = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  boot(): void {
    this.#logged.clear();
    this.changed();
  }

  /** Called when the errors may have changed. */
  changed(): void {
    const { hardware, conditions, log } = this.#options;
    const before = this.#present;
    this.#present = new Set(hardware.errors());
    for (const error of this.#present) {
      if (before.has(error) && this.#logged.has(error)) continue;
      if (!this.#logged.has(error)) log.error('The hardware reports an error', { reason: error });
      if (this.#logged.size >= mostLogged) this.#logged.clear();
      this.#logged.add(error);
      conditions.set('DS_RecoverableError', reasonOf(error), true);
    }
    for (const error of before) {
      if (!this.#present.has(error)) conditions.set('DS_RecoverableError', reasonOf(error), false);
    }
  }
}

function reasonOf(error: string): string {
  return `hardware: ${error}`;
}
