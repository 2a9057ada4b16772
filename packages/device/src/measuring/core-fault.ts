import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';

/** ms: a fault that returns within this time is not logged again, even if the core worked in between. */
const quietPeriod = 10_000;

interface Options {
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One kind of fault of a core. It is logged once, and DeviceStatus is 7 until the core works again. A core may fail a
 * hundred times a second, and work in between.
 */
export class CoreFault {
  readonly #options: Options;
  readonly #reason: string;
  readonly #lingers: boolean;
  readonly #logged = new Set<string>();
  #holds = false;
  #failedAt = 0;

  /**
   * @param reason of the condition
   * @param lingers whether the condition holds until the core has worked for 10 s; else it ends when the core works again
   */
  constructor(options: Options, reason: string, { lingers = false } = {}) {
    this.#options = options;
    this.#reason = reason;
    this.#lingers = lingers;
  }

  failed(what: string, why: string): void {
    const { clock, log } = this.#options;
    this.#failedAt = clock.monotonic();
    if (!this.#logged.has(what)) log.error(what, { reason: why });
    this.#logged.add(what);
    this.#set(true);
  }

  works(): void {
    if (!this.#holds && this.#logged.size === 0) return;
    const isOver = this.#options.clock.monotonic() - this.#failedAt >= quietPeriod;
    if (isOver) this.#logged.clear();
    if (isOver || !this.#lingers) this.#set(false);
  }

  /** A boot: forgets all faults. */
  reset(): void {
    this.#logged.clear();
    this.#set(false);
  }

  #set(holds: boolean): void {
    if (this.#holds === holds) return;
    this.#holds = holds;
    this.#options.conditions.set('DS_RecoverableError', this.#reason, holds);
  }
}

/**
 * The fault of a scan that a core hands over; undefined if it has none. A core may be written by anybody: a wrong scan must
 * not stop the scanner.
 * @param last number of the scan before; undefined for the first one of an order
 */
export function scanFault(scan: Scan, last: number | undefined): string | undefined {
  const { number, time, geometry, distance, rssi, flags } = scan;
  const { beams, beamsPerSegment, frequency, step, firstAngle } = geometry;
  if (!Number.isSafeInteger(number) || number < 0)
    return `its number: expected a whole number, got ${number}`;
  if (last !== undefined && number <= last) return `its number: expected more than ${last}, got ${number}`;
  if (!Number.isFinite(time) || time < 0) return `its time: expected µs of the scanner's clock, got ${time}`;
  if (![beams, beamsPerSegment].every((count) => Number.isSafeInteger(count) && count > 0)) {
    return `its geometry: expected whole numbers above 0, got ${beams} beams, ${beamsPerSegment} a segment`;
  }
  if (!(frequency > 0 && frequency <= 1000 && step > 0 && Number.isFinite(firstAngle))) {
    return `its beams begin at ${firstAngle}°, ${step}° apart, at ${frequency} Hz`;
  }
  const places = beams * echoesPerBeam;
  for (const [name, { length }] of Object.entries({ distance, rssi, flags })) {
    if (length !== places) return `${name}: expected ${places} places for ${beams} beams, got ${length}`;
  }
  return undefined;
}
