import { setImmediate } from 'node:timers/promises';
import { Mutex } from '@azimuth/async';
import type { VirtualClock } from '@azimuth/device';
import type { ScannerService } from '@azimuth/server';
import type { VirtualHardware } from '@azimuth/simulation';
import { Loopback } from './loopback.js';

/** Number of telegrams between two passes of the event loop: Node reads 32 datagrams of a socket in one pass. */
const telegramsPerPass = 16;
/**
 * Number of passes without traffic after which everything is done. A request with a login takes some passes between two
 * messages.
 */
const idlePasses = 5;
/** Maximum number of passes: a client that sends requests all the time never lets the scanner rest. */
const maxPasses = 2000;
/** Maximum number of successive failed boots. */
const maxBoots = 100;

/** Lets virtual time pass for a scanner, with all effects in this process. */
export class VirtualTime {
  readonly #service: ScannerService;
  readonly #clock: VirtualClock;
  readonly #hardware: VirtualHardware;
  readonly #loopback = new Loopback();
  readonly #turns = new Mutex();
  readonly #usualPorts: number;
  #isClosed = false;

  constructor(service: ScannerService, clock: VirtualClock, hardware: VirtualHardware) {
    this.#hardware = hardware;
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
      const before = this.#failedBoots;
      while (lifecycle.phase !== 'up' && this.#clock.next !== undefined) {
        if (this.#failedBoots - before >= maxBoots)
          throw new Error(`the scanner does not come up: ${maxBoots} boots have failed, see its log`);
        await this.#advanceTo(this.#clock.next);
      }
      await this.#waitUntilIdle();
    });
  }

  /** Waits until everything that was sent has arrived, and every request has its response. No virtual time passes. */
  idle(): Promise<void> {
    return this.#turns.run(() => this.#waitUntilIdle());
  }

  /** Rejects all waiting calls. */
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

  /** Waits until there is no traffic any more. */
  async #waitUntilIdle(): Promise<void> {
    await this.#service.device.announcements.pendingEffects;
    let idle = 0;
    for (let passes = 0; idle < idlePasses && passes < maxPasses; passes++) {
      this.#checkOpen();
      const before = this.#service.activity;
      await this.#loopback.passAll();
      idle = this.#service.activity === before ? idle + 1 : 0;
    }
  }

  /** Waits for a boot, which reads the storage and opens ports. It takes no virtual time. */
  async #booted(): Promise<void> {
    const { lifecycle } = this.#service.device;
    // The hardware reports the end of the boot time by a promise.
    if (lifecycle.phase === 'down') await setImmediate();
    if (lifecycle.phase !== 'starting') return;
    while (lifecycle.phase === 'starting') await setImmediate();
    // A port that is off stays closed. After a failed boot all stay closed.
    for (let passes = 0; this.#waitsForPorts && passes < maxPasses; passes++) await setImmediate();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error('the scanner is closed: its time does not pass any more');
  }

  /** Those that planned faults let fail, and those of the scanner. */
  get #failedBoots(): number {
    return this.#hardware.failedBoots + this.#service.device.lifecycle.failedBoots;
  }

  get #waitsForPorts(): boolean {
    return this.#service.device.lifecycle.phase === 'up' && this.#openPorts < this.#usualPorts;
  }

  get #openPorts(): number {
    return Object.values(this.#service.ports).filter((port) => port !== null).length;
  }
}
