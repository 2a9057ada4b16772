import type { TimedScanner, VirtualTime } from './virtual-time.js';

/**
 * The power of a scanner. While it is off, no port is open and all connections are closed: clients see what they see
 * when a cable is cut. Time passes.
 */
export class Power {
  readonly #scanner: TimedScanner;
  readonly #time: VirtualTime | undefined;
  readonly #isClosed: () => boolean;

  /** @param time undefined if it passes by itself */
  constructor(scanner: TimedScanner, time: VirtualTime | undefined, isClosed: () => boolean) {
    this.#scanner = scanner;
    this.#time = time;
    this.#isClosed = isClosed;
  }

  get isOn(): boolean {
    return this.#scanner.hardware.hasPower;
  }

  /** Switches it off: what is not stored is lost. Does nothing if it is off. @throws Error if the scanner is closed */
  async off(): Promise<void> {
    this.#assertOpen();
    this.#scanner.hardware.switchPower(false);
    this.#scanner.service.device.lifecycle.losePower();
    await this.#time?.idle();
  }

  /**
   * Switches it on, and the scanner boots. On the virtual clock, it is up when the promise is fulfilled, at the same
   * ports, and the time of the boot has passed.
   * @throws Error if the scanner is closed; on the virtual clock, also if planned faults let 100 boots fail
   */
  async on(): Promise<void> {
    this.#assertOpen();
    this.#scanner.hardware.switchPower(true);
    await this.#time?.boot(this.#scanner);
  }

  #assertOpen(): void {
    if (this.#isClosed()) throw new Error('the scanner is closed');
  }
}
