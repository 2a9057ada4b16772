import { concurrently, Mutex } from '@azimuth/async';
import { type Log, type Passwords, SystemClock, virtualIdentity } from '@azimuth/device';
import { UnexpectedErrors } from '@azimuth/device/reports';
import { FleetEvents } from './events/fleet-events.js';
import { limitsOfFleet } from './limits.js';
import { FleetScanner } from './scanners/scanner.js';
import type { ScannerFacts } from './scanners/scanner-facts.js';
import { type MacAddresses, macAddressesOf, matcherOf } from './scanners/scanner-facts.js';
import type { Shared } from './scanners/scanner-service.js';
import type { ScannerState } from './scanners/scanner-state.js';
import { runsElsewhere, type ScannerStore } from './scanners/scanner-store.js';
import { StartQueue } from './scanners/start-queue.js';

/** Scanners that are switched on at the same time. */
const atOnce = 64;

export interface FleetOptions extends Pick<Shared, 'firmwareKey' | 'allowed'> {
  readonly scanners: readonly ScannerFacts[];
  /** Storage of all scanners. The fleet closes it. */
  readonly store: ScannerStore;
  readonly log: Log;
  /** The folder of the GUI; by default, there is none. */
  readonly gui?: string | undefined;
  /** Connections of one scanner at the same time. */
  readonly maxConnections: number;
  /** Connections of all scanners at the same time, to ports of their own; by default, 10 000. */
  readonly maxConnectionsTogether?: number | undefined;
  /** Time of a reboot in ms. */
  readonly bootMilliseconds: number;
  /** Passwords of scanners that start for the first time; by default, the factory passwords. */
  readonly passwords?: Passwords | undefined;
  /** ms without a request after which a scanner that was only read rests; by default, two minutes. */
  readonly restAfter?: number | undefined;
  /** True if this process may run a scanner now; by default, it may. */
  readonly owns?: ((serial: string) => boolean) | undefined;
  /** MAC addresses of all scanners of the fleet to which this part belongs; by default, computed from `scanners`. */
  readonly macAddresses?: Pick<MacAddresses, 'get'> | undefined;
}

/** ms. */
const defaultRestAfter = 120_000;

/** Result of a power-on. */
interface PowerOnResult {
  /** Number of scanners that were off. */
  readonly attempted: number;
  /** Errors of scanners that could not be switched on. */
  readonly failures: ReadonlyMap<FleetScanner, unknown>;
}

/** Numbers of scanners by state. */
export type StateCounts = Readonly<Record<ScannerState, number>>;

/** Result of switching scanners on or off. */
export interface SwitchResult {
  /** Number of scanners that were switched. */
  readonly changed: number;
  /** Scanners that could not be switched on. */
  readonly failed: readonly { readonly serialNumber: string; readonly reason: string }[];
}

/** Many virtual scanners in one process. */
export class Fleet {
  readonly #store: ScannerStore;
  readonly #scanners = new Map<string, FleetScanner>();
  readonly #removed = new RemovedRequests();
  /** Undefined after scanners were added or removed. */
  #inOrder: readonly FleetScanner[] | undefined;
  readonly #shared: Shared;
  readonly #macAddresses: Pick<MacAddresses, 'get'>;
  readonly #resting: NodeJS.Timeout;
  /** The events of its scanners. */
  readonly events: FleetEvents;
  /**
   * Receives errors that no scanner and no request has handled. It also counts errors inside its scanners, including removed
   * ones.
   */
  readonly errors: UnexpectedErrors;
  readonly #switchingOn = new Mutex();
  /** Scanners that should be on, and whose power-on is not counted yet. Switching a scanner off removes it from this set. */
  readonly #wantedOn = new Set<FleetScanner>();

  private constructor(options: FleetOptions) {
    const { scanners, store, passwords = {}, restAfter = defaultRestAfter, maxConnectionsTogether } = options;
    const { macAddresses = macAddressesOf(scanners.map(({ serial }) => serial)) } = options;
    this.#store = store;
    this.events = new FleetEvents();
    const message = 'Unexpected error inside the fleet; its scanners continue';
    this.errors = new UnexpectedErrors({ log: options.log, clock: new SystemClock(), message });
    this.#shared = {
      ...options,
      passwords,
      starts: new StartQueue(),
      events: this.events,
      limits: limitsOfFleet(maxConnectionsTogether),
      errors: this.errors.counts,
    };
    this.#macAddresses = macAddresses;
    // One timer for all.
    this.#resting = setInterval(() => this.#restUnused(restAfter), restAfter / 2).unref();
    for (const scanner of this.#create(scanners)) this.#scanners.set(scanner.facts.serial, scanner);
  }

  /**
   * Switches all scanners on. When the promise resolves, their power-ons are on disk, and clients can reach them.
   * @throws PortTaken, errors of the store
   */
  static async start(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options);
    try {
      const { failures } = await fleet.#switchOn([...fleet.#scanners.values()]);
      const [failure] = failures.values();
      if (failure === undefined) return fleet;
      throw failure;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  /**
   * Adds scanners, and switches them on. Their power-ons are on disk when the promise resolves. If a scanner cannot be
   * switched on, it has failed.
   * @throws errors of the store: then they are not added
   */
  async add(scanners: readonly ScannerFacts[]): Promise<void> {
    const added = this.#create(scanners);
    try {
      await this.#switchOn(added);
    } catch (error) {
      for (const scanner of added) this.#wantedOn.delete(scanner);
      throw error;
    }
    // A scanner whose power is still off cannot be reached.
    for (const scanner of added) this.#scanners.set(scanner.facts.serial, scanner);
    this.#inOrder = undefined;
  }

  /**
   * Switches scanners off, and removes them. Their stored data stays.
   * @param until running requests may continue until this settles; by default, they are broken off
   */
  async remove(serials: readonly string[], until?: Promise<void>): Promise<void> {
    const removed = serials.flatMap((serial) => this.#scanners.get(serial) ?? []);
    // From now on, they cannot be reached any more.
    for (const { facts } of removed) this.#scanners.delete(facts.serial);
    this.#inOrder = undefined;
    await this.#removed.leave(removed, async () => {
      if (until !== undefined)
        await Promise.race([until, Promise.all(removed.map((scanner) => scanner.responded()))]);
      await this.switchOff(removed);
    });
  }

  #create(scanners: readonly ScannerFacts[]): readonly FleetScanner[] {
    return scanners.map((facts) => {
      const { serial } = facts;
      const macAddress = this.#macAddresses.get(serial) ?? virtualIdentity(serial).macAddress;
      return new FleetScanner(facts, macAddress, this.#shared);
    });
  }

  /** All scanners, as an array. */
  get inOrder(): readonly FleetScanner[] {
    this.#inOrder ??= [...this.#scanners.values()];
    return this.#inOrder;
  }

  /** All scanners, in the order in which they were given. */
  get scanners(): ReadonlyMap<string, FleetScanner> {
    return this.#scanners;
  }

  /** Requests of all scanners that the fleet has or had, by their groups. These counts only grow. */
  get requests(): ReadonlyMap<string, number> {
    return this.#removed.with(this.#scanners.values());
  }

  get states(): StateCounts {
    const counts = { off: 0, idle: 0, running: 0, failed: 0 };
    for (const { state } of this.#scanners.values()) counts[state]++;
    return counts;
  }

  /** Returns the scanners that match a pattern: a serial number, or a part of it with `*`; a group as `hall/*`; `*` for all. */
  matching(pattern: string): readonly FleetScanner[] {
    const exact = this.#scanners.get(pattern);
    if (exact !== undefined) return [exact];
    const matches = matcherOf(pattern);
    return [...this.#scanners.values()].filter(({ facts }) => matches(facts));
  }

  /**
   * Switches scanners on that are off, and tries failed ones again. If a scanner cannot be switched on, it has failed.
   * @throws errors of the store. Then nothing was switched, and {@link retryPowerOn} tries again
   */
  async switchOn(scanners: readonly FleetScanner[]): Promise<SwitchResult> {
    const { attempted, failures } = await this.#switchOn(scanners);
    const failed = [...failures].map(([{ facts, failure }, error]) => ({
      serialNumber: facts.serial,
      reason: failure ?? (error instanceof Error ? error.message : String(error)),
    }));
    return { changed: attempted - failed.length, failed };
  }

  /**
   * Tries again to switch scanners on: those whose power-on could not be counted, and those that have failed because a port
   * of their own was taken. It skips scanners that were switched off since.
   * @throws errors of the store: the next call tries again
   */
  async retryPowerOn(): Promise<void> {
    await this.#switchingOn.run(async () => {
      const withTakenPort = this.inOrder.filter(({ isPortTaken }) => isPortTaken);
      const freed = new Set<FleetScanner>();
      await concurrently(atOnce, withTakenPort, async (scanner) => {
        if (await scanner.openFreedPorts()) freed.add(scanner);
      });
      // The scanner may have been switched off, or removed, in between.
      const able = [...freed].filter(({ isPortTaken }) => isPortTaken);
      await this.#switchOnNow([...new Set([...this.#wantedOn, ...able])]);
    });
  }

  /** Runs one power-on at a time, so that two requests for the same scanner count it once. */
  #switchOn(scanners: readonly FleetScanner[]): Promise<PowerOnResult> {
    return this.#switchingOn.run(() => this.#switchOnNow(scanners));
  }

  async #switchOnNow(scanners: readonly FleetScanner[]): Promise<PowerOnResult> {
    const off = scanners.filter(({ state }) => state === 'off' || state === 'failed');
    if (off.length === 0) return { attempted: 0, failures: new Map() };
    for (const scanner of off) this.#wantedOn.add(scanner);
    const counted = await this.#countPowerOn(off);
    const failures = new Map<FleetScanner, unknown>();
    for (const scanner of off)
      if (!counted.has(scanner.facts.serial)) failures.set(scanner, new Error(runsElsewhere));
    const able = off.filter((scanner) => !failures.has(scanner));
    const listening = able.filter(({ facts }) => facts.ports !== undefined);
    /** Acts on a scanner, unless it was switched off, or removed, in between. */
    const unlessSwitchedOff = async (scanner: FleetScanner, act: () => Promise<void>) => {
      if (!this.#wantedOn.has(scanner)) return;
      await act().catch((error: unknown) => {
        failures.set(scanner, error);
        this.#wantedOn.delete(scanner);
      });
    };
    // Fixed ports of all scanners come first: otherwise the system could choose one of their numbers as a free port of
    // another one.
    await concurrently(atOnce, listening, (scanner) =>
      unlessSwitchedOff(scanner, () => scanner.openFixedPorts()),
    );
    await concurrently(atOnce, able, (scanner) => unlessSwitchedOff(scanner, () => scanner.switchOn()));
    for (const scanner of able) this.#wantedOn.delete(scanner);
    for (const scanner of off) if (scanner.startsAtPowerOn) scanner.startLater();
    return { attempted: off.length, failures };
  }

  /** @returns the serial numbers of scanners whose power-on is counted, and that this process may run */
  async #countPowerOn(scanners: readonly FleetScanner[]): Promise<ReadonlySet<string>> {
    const { owns = () => true } = this.#shared;
    const serials = (some: readonly FleetScanner[]) => some.map(({ facts }) => facts.serial);
    // Their power-on was counted, and then a port of theirs was taken.
    const earlier = serials(scanners.filter(({ isPortTaken }) => isPortTaken)).filter(owns);
    const anew = serials(scanners.filter(({ isPortTaken }) => !isPortTaken));
    const counted = anew.length === 0 ? [] : await this.#store.powerOn(anew);
    return new Set([...earlier, ...counted]);
  }

  /**
   * Switches scanners off: unsaved values are lost. All at once: no scanner continues to send because the storage of others
   * is slow.
   */
  async switchOff(scanners: readonly FleetScanner[]): Promise<SwitchResult> {
    for (const scanner of scanners) this.#wantedOn.delete(scanner);
    const changed = scanners.filter(({ state }) => state === 'idle' || state === 'running').length;
    const ended = await Promise.allSettled(scanners.map((scanner) => scanner.switchOff()));
    const failure = ended.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
    return { changed, failed: [] };
  }

  /** Switches scanners off and on again. A scanner that is off is switched on. */
  async powerCycle(scanners: readonly FleetScanner[]): Promise<SwitchResult> {
    await this.switchOff(scanners);
    return this.switchOn(scanners);
  }

  #restUnused(milliseconds: number): void {
    for (const scanner of this.#scanners.values()) void scanner.restIfUnused(milliseconds);
  }

  /** Switches all off. Stored data is on disk when the promise resolves. */
  async close(): Promise<void> {
    clearInterval(this.#resting);
    await this.switchOff([...this.#scanners.values()]);
    await this.#store.close();
  }
}

/** Request counts of removed scanners. The counts of a fleet include them, and never fall. */
class RemovedRequests {
  /** Counts by group, of scanners that have ended. */
  readonly #ended = new Map<string, number>();
  /** Scanners that are ending. They may still get requests. */
  readonly #leaving = new Set<FleetScanner>();

  /** Keeps the counts of removed scanners, while `end` ends them and afterwards. */
  async leave(scanners: readonly FleetScanner[], end: () => Promise<void>): Promise<void> {
    for (const scanner of scanners) this.#leaving.add(scanner);
    try {
      await end();
    } finally {
      for (const scanner of scanners) this.#leaving.delete(scanner);
      addTo(this.#ended, scanners);
    }
  }

  /** Returns the counts of all scanners, by group. @param scanners the current scanners of the fleet */
  with(scanners: Iterable<FleetScanner>): ReadonlyMap<string, number> {
    const totals = new Map(this.#ended);
    addTo(totals, scanners);
    addTo(totals, this.#leaving);
    return totals;
  }
}

function addTo(totals: Map<string, number>, scanners: Iterable<FleetScanner>): void {
  for (const { facts, requests } of scanners)
    totals.set(facts.group, (totals.get(facts.group) ?? 0) + requests);
}
