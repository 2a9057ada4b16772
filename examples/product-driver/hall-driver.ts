import { Scanner, ScannerError } from 'azimuth-scanner/client';

/** What the driver of a hall knows of its scanner. */
export type HallState = 'stopped' | 'connecting' | 'ready' | 'hot' | 'dirty' | 'refused' | 'lost';

export interface HallOptions {
  readonly url: string;
  readonly password: string;
  /** Name of the place, at most 16 characters. */
  readonly place: string;
  /** UDP port of this computer that receives scans. */
  readonly scanPort: number;
}

const pollInterval = 250;
const firstRetry = 1000;
const longestRetry = 8000;

/** A driver as a product has one: it sets a scanner up, watches it, and comes back when the scanner does. */
export class HallDriver {
  readonly #options: HallOptions;
  readonly #scanner: Scanner;
  #state: HallState = 'stopped';
  #timer: NodeJS.Timeout | undefined;
  #retry = firstRetry;
  /** All states so far. */
  readonly states: HallState[] = [];

  constructor(options: HallOptions) {
    this.#options = options;
    const { url, password } = options;
    this.#scanner = new Scanner({ url, user: 'Service', password });
  }

  get state(): HallState {
    return this.#state;
  }

  /** Begins to set the scanner up. */
  start(): void {
    this.#enter('connecting');
    void this.#setUp();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#scanner.close();
    this.#enter('stopped');
  }

  async #setUp(): Promise<void> {
    const { place, scanPort } = this.#options;
    try {
      if ((await this.#scanner.read('LocationName')) !== place) {
        await this.#scanner.write('LocationName', place);
        await this.#scanner.call('WriteEeprom');
      }
      const receiver = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: scanPort } as const;
      await this.#scanner.write('ScanDataEthSettings', receiver);
      await this.#scanner.write('ScanDataEnable', true);
      this.#retry = firstRetry;
      await this.#poll();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #poll(): Promise<void> {
    try {
      const { bErrorActive } = await this.#scanner.read('ContaminationResult');
      const isHot = await this.#scanner.read('temperatureAlarmStatus');
      this.#enter(bErrorActive ? 'dirty' : isHot ? 'hot' : 'ready');
      this.#after(pollInterval, () => this.#poll());
    } catch (error) {
      this.#failed(error);
    }
  }

  /** A refusal needs a person. A scanner that is gone may come back: the pauses between attempts double. */
  #failed(error: unknown): void {
    if (error instanceof ScannerError && this.#state !== 'stopped') {
      this.#enter('refused');
      return;
    }
    this.#enter('lost');
    this.#after(this.#retry, () => this.#setUp());
    this.#retry = Math.min(2 * this.#retry, longestRetry);
  }

  #after(milliseconds: number, act: () => Promise<void>): void {
    if (this.#state !== 'stopped') this.#timer = setTimeout(() => void act(), milliseconds);
  }

  #enter(state: HallState): void {
    if (state === this.#state || (this.#state === 'stopped' && state !== 'connecting')) return;
    this.#state = state;
    this.states.push(state);
  }
}
