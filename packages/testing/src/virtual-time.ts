import { setImmediate } from 'node:timers/promises';
import { Mutex } from '@azimuth/async';
import type { VirtualClock } from '@azimuth/device';
import type { ScannerService } from '@azimuth/server';
import { Loopback } from './loopback.js';

/** Node reads 32 datagrams of a socket in one pass of the event loop; a pass comes at least after so many. */
const telegramsPerPass = 16;
/** Passes without any traffic after which all is done. A request with a login takes some passes between two messages. */
const quietPasses = 5;
/** Passes after which nothing more is awaited: a client that asks all the time never lets the scanner rest. */
const mostPasses = 2000;
/** Boots that may fail one after the other. */
const mostBoots = 100;

/** Lets virtual time pass for a scanner, with everything in this process that follows from it. */
export class VirtualTime {
  readonly #service: ScannerService;
  readonly #clock: VirtualClock;
  readonly #loopback = new Loopback();
  readonly #turns = new Mutex();
  readonly #usualPorts: number;
  #isClosed = false;

  constructor(service: ScannerService, clock: VirtualClock) {
    this.#service = service;
    this.#clock = clock;
    this.#usualPorts = this.#openPorts;
  }

  /** Lets these ms pass. Calls wait for each other. */
  advance(milliseconds: number): Promise<void> {
    return this.#turns.run(async () => {
      await this.#waitUntilIdle();
      await this.#advanceTo(this.#clock.monotonic() + milliseconds);
      await this.#waitUntilIdle();
    });
  }

  /** Lets the time of a boot pass, until the scanner is up again. @throws Error if planned faults keep it down */
  boot(): Promise<void> {
    return this.#turns.run(async () => {
      const { lifecycle } = this.#service.device;
      const before = lifecycle.failedBoots;
      while (lifecycle.phase !== 'up' && this.#clock.next !== undefined) {
        if (lifecycle.failedBoots - before >= mostBoots)
          throw new Error(`the scanner does not come up: ${mostBoots} boots have failed, see its log`);
        await this.#advanceTo(this.#clock.next);
      }
      await this.#waitUntilIdle();
    });
  }

  /** Waits until all that was sent has arrived and was answered; no virtual time passes. */
  idle(): Promise<void> {
    return this.#turns.run(() => this.#waitUntilIdle());
  }

  /** What waits for time to pass is rejected. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#loopback.close();
  }

  async #advanceTo(end: number): Promise<void> {
    let sent = this.#service.telegramsSent;
    for (let next = this.#clock.next; next !== undefined && next <= end; next = this.#clock.next) {
      this.#checkOpen();
      this.#clock.advanceTo(next);
      await this.#booted();
      await setImmediate();
      if (this.#service.telegramsSent - sent < telegramsPerPass) continue;
      await this.#loopback.pass();
      sent = this.#service.telegramsSent;
    }
    this.#checkOpen();
    this.#clock.advanceTo(end);
  }

  /** Waits until nothing comes and goes any more. */
  async #waitUntilIdle(): Promise<void> {
    await this.#service.device.announcements.pendingEffects;
    let quiet = 0;
    for (let passes = 0; quiet < quietPasses && passes < mostPasses; passes++) {
      this.#checkOpen();
      const before = this.#service.activity;
      await this.#loopback.passAll();
      quiet = this.#service.activity === before ? quiet + 1 : 0;
    }
  }

  /** A boot reads the storage and opens ports, which takes no virtual time. */
  async #booted(): Promise<void> {
    const { lifecycle } = this.#service.device;
    if (lifecycle.phase !== 'starting') return;
    while (lifecycle.phase === 'starting') await setImmediate();
    // A port that is off stays closed, and all stay closed if the boot has failed.
    for (let passes = 0; this.#awaitsPorts && passes < mostPasses; passes++) await setImmediate();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error('the scanner is closed: its time does not pass any more');
  }

  get #awaitsPorts(): boolean {
    return this.#service.device.lifecycle.phase === 'up' && this.#openPorts < this.#usualPorts;
  }

  get #openPorts(): number {
    return Object.values(this.#service.ports).filter((port) => port !== null).length;
  }
}
