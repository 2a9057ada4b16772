import type { Device } from '@azimuth/device';
import { errorMessage } from '@azimuth/device/reports';

/** Minimum time between boots in ms. Without it, failing boots would follow each other endlessly at the same time. */
const shortestRetry = 100;

/** A disturbance of a boot: additional ms, and true if it fails at its end. */
export interface BootFault {
  readonly delay: number;
  readonly fails: boolean;
}

/** The time from down to up of a virtual scanner, with its planned faults. */
export class BootTime {
  readonly #milliseconds: number;
  #fault: () => BootFault = () => ({ delay: 0, fails: false });
  #device: Device | undefined;
  #cancel: (() => void) | undefined;
  /** Ends the present wait before its time. */
  #interrupt: () => void = () => undefined;
  /** False while the power is off. No boot begins then, and one in progress begins anew afterwards. */
  #hasPower = true;
  /** Number of boots that have failed. */
  failedBoots = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Uses the clock and the log of a scanner. Returns a function that ends a boot in progress. */
  attach(device: Device): () => void {
    this.#device = device;
    return () => this.#cancel?.();
  }

  /** Calls `fault` at the beginning of each boot after the first start. */
  disturb(fault: () => BootFault): void {
    this.#fault = fault;
  }

  get hasPower(): boolean {
    return this.#hasPower;
  }

  switchPower(on: boolean): void {
    if (on === this.#hasPower) return;
    this.#hasPower = on;
    this.#cancel?.();
    this.#interrupt();
  }

  /** Takes the time of a boot, and that of all boots before it that fail. */
  async pass(): Promise<void> {
    for (let least = 0; ; ) {
      if (!this.#hasPower) {
        await this.#wait(Number.POSITIVE_INFINITY);
        least = 0;
        continue;
      }
      const { delay, fails } = this.#fault();
      await this.#wait(Math.max(least, this.#milliseconds + delay));
      if (!this.#hasPower) continue;
      if (!fails) return;
      this.failedBoots += 1;
      least = shortestRetry;
      const reason = errorMessage(new Error('a fault was planned for it'));
      this.#device?.hardware.log.error('The scanner could not boot', { reason });
    }
  }

  /** Waits for this time, or until the power is switched. Without an end if the boot is ended. */
  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#interrupt = resolve;
      this.#cancel =
        milliseconds === Number.POSITIVE_INFINITY
          ? undefined
          : this.#device?.clock.after(milliseconds, resolve);
    });
  }
}
