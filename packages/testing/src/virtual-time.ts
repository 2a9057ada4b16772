import { setImmediate } from 'node:timers/promises';
import { Mutex } from '@azimuth/async';
import type { VirtualClock } from '@azimuth/device';
import type { ScannerService } from '@azimuth/server';
import type { VirtualHardware } from '@azimuth/simulation';
import { Loopback } from './loopback.js';
import { TimersInStep, type TimersOption } from './product-timers.js';

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

/** A scanner on the virtual clock. */
export interface TimedScanner {
  readonly service: ScannerService;
  readonly hardware: VirtualHardware;
}

/** Lets virtual time pass for the scanners of one clock, with all effects in this process. */
export class VirtualTime {
  readonly clock: VirtualClock;
  readonly #loopback = new Loopback();
  readonly #turns = new Mutex();
  /** The timers of the program that is tested; undefined if they pass by themselves. */
  readonly #timers: TimersInStep | undefined;
  /** The scanners, each with the number of ports that it usually opens. */
  readonly #scanners = new Map<TimedScanner, number>();
  #isClosed = false;

  /** @param timers of the program that is tested */
  constructor(clock: VirtualClock, timers?: TimersOption) {
    this.clock = clock;
    this.#timers = timers && new TimersInStep(timers, clock.monotonic());
  }

  /** Adds a scanner that is up. */
  add(scanner: TimedScanner): void {
    this.#scanners.set(scanner, openPorts(scanner));
  }

  /** Removes a scanner before its end. Without any, all waiting calls are rejected. */
  async remove(scanner: TimedScanner): Promise<void> {
    this.#scanners.delete(scanner);
    if (this.#scanners.size > 0) return;
    this.#isClosed = true;
    await this.#loopback.close();
  }

  /** Lets these ms pass. Calls wait for each other. */
  advance(milliseconds: number): Promise<void> {
    return this.#turns.run(async () => {
      await this.#waitUntilIdle();
      await this.#advanceTo(this.clock.monotonic() + milliseconds);
      await this.#waitUntilIdle();
    });
  }

  /**
   * Lets the time of a boot pass, until the scanner is up again.
   * @throws Error if planned faults keep it down, or if its power is switched off meanwhile
   */
  boot(scanner: TimedScanner): Promise<void> {
    return this.#turns.run(async () => {
      const { lifecycle } = scanner.service.device;
      const before = failedBoots(scanner);
      while (lifecycle.phase !== 'up' && this.clock.next !== undefined) {
        if (!scanner.hardware.hasPower)
          throw new Error('the scanner does not come up: its power was switched off');
        if (failedBoots(scanner) - before >= maxBoots)
          throw new Error(`the scanner does not come up: ${maxBoots} boots have failed, see its log`);
        await this.#advanceTo(this.clock.next);
      }
      await this.#waitUntilIdle();
    });
  }

  /** Waits until everything that was sent has arrived, and every request has its response. No virtual time passes. */
  idle(): Promise<void> {
    return this.#turns.run(() => this.#waitUntilIdle());
  }

  async #advanceTo(end: number): Promise<void> {
    let sent = this.#sum((service) => service.telegramsSent);
    await this.#moveTimers();
    for (let next = this.#next; next <= end; next = this.#next) {
      this.#checkOpen();
      this.clock.advanceTo(next);
      await this.#moveTimers();
      for (const [scanner, usualPorts] of this.#scanners) await booted(scanner, usualPorts);
      await setImmediate();
      if (this.#sum((service) => service.telegramsSent) - sent < telegramsPerPass) continue;
      await this.#loopback.pass();
      sent = this.#sum((service) => service.telegramsSent);
    }
    this.#checkOpen();
    this.clock.advanceTo(end);
    await this.#moveTimers();
  }

  /** The time of what is due next: of the scanners, or of the program that is tested. */
  get #next(): number {
    return Math.min(
      this.clock.next ?? Number.POSITIVE_INFINITY,
      this.#timers?.next ?? Number.POSITIVE_INFINITY,
    );
  }

  /** Moves the timers of the program to the present time, and waits until all is done that they have begun. */
  async #moveTimers(): Promise<void> {
    while ((await this.#timers?.moveTo(this.clock.monotonic())) === true) {
      await this.#waitUntilIdle();
      if ((this.#timers?.next ?? Number.POSITIVE_INFINITY) > this.clock.monotonic()) return;
    }
  }

  /** Waits until there is no traffic any more. */
  async #waitUntilIdle(): Promise<void> {
    for (const { service } of this.#scanners.keys()) await service.device.announcements.pendingEffects;
    let idle = 0;
    for (let passes = 0; idle < idlePasses && passes < maxPasses; passes++) {
      this.#checkOpen();
      const before = this.#sum((service) => service.activity);
      await this.#loopback.passAll();
      idle = this.#sum((service) => service.activity) === before ? idle + 1 : 0;
    }
  }

  #sum(countOf: (service: ScannerService) => number): number {
    let sum = 0;
    for (const { service } of this.#scanners.keys()) sum += countOf(service);
    return sum;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error('the scanner is closed: its time does not pass any more');
  }
}

/** Waits for a boot, which reads the storage and opens ports. It takes no virtual time. */
async function booted(scanner: TimedScanner, usualPorts: number): Promise<void> {
  const { lifecycle } = scanner.service.device;
  // The hardware reports the end of the boot time by a promise.
  if (lifecycle.phase === 'down') await setImmediate();
  if (lifecycle.phase !== 'starting') return;
  while (lifecycle.phase === 'starting') await setImmediate();
  const waitsForPorts = () => lifecycle.phase === 'up' && openPorts(scanner) < usualPorts;
  // A port that is off stays closed. After a failed boot all stay closed.
  for (let passes = 0; waitsForPorts() && passes < maxPasses; passes++) await setImmediate();
}

/** Those that planned faults let fail, and those of the scanner. */
function failedBoots({ hardware, service }: TimedScanner): number {
  return hardware.failedBoots + service.device.lifecycle.failedBoots;
}

function openPorts({ service }: TimedScanner): number {
  return Object.values(service.ports).filter((port) => port !== null).length;
}
