import { concurrently, Mutex } from '@azimuth/async';
import { type Log, type Passwords, SystemClock } from '@azimuth/device';
import { UnexpectedErrors } from '@azimuth/device/reports';
import type { Adoption } from './adopted/adopted-client.js';
import { AdoptedFleet } from './adopted/adopted-fleet.js';
import { type AdoptedScanner, noPower } from './adopted/adopted-scanner.js';
import { isReal, type MemberFacts, virtualOf } from './adopted/real-facts.js';
import { FleetEvents } from './events/fleet-events.js';
import type { RealState } from './events/real-states.js';
import { limitsOfFleet } from './limits.js';
import { FleetScanner, type SharedByScanners } from './scanners/scanner.js';
import type { ScannerFacts } from './scanners/scanner-facts.js';
import { type MacAddresses, macAddressesOf, matcherOf } from './scanners/scanner-facts.js';
import type { Shared } from './scanners/scanner-service.js';
import type { ScannerState } from './scanners/scanner-state.js';
import { runsElsewhere, type ScannerStore } from './scanners/scanner-store.js';
import { Standing } from './scanners/standing.js';
import { StartQueue } from './scanners/start-queue.js';

/** Scanners that are switched on at the same time. */
const atOnce = 64;

export interface FleetOptions extends Pick<Shared, 'firmwareKey' | 'allowed'> {
  readonly scanners: readonly MemberFacts[];
  /** Means for real scanners; without it, there may be none. */
  readonly adoption?: Adoption | undefined;
  /** Storage of all virtual scanners. The fleet closes it. */
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
  /** ms without a request after which a scanner is put away; by default, half a minute. */
  readonly restAfter?: number | undefined;
  /** True if this process may run a scanner now; by default, it may. */
  readonly owns?: ((serial: string) => boolean) | undefined;
  /** MAC addresses of all scanners of the fleet to which this part belongs; by default, computed from `scanners`. */
  readonly macAddresses?: Pick<MacAddresses, 'get'> | undefined;
}

/** ms. A scanner that was asked once leaves nothing much behind after a minute. */
const defaultRestAfter = 30_000;

/** Result of a power-on. */
interface PowerOnResult {
  /** Number of scanners that were off. */
  readonly attempted: number;
  /** Errors of scanners that could not be switched on. */
  readonly failures: ReadonlyMap<FleetScanner, unknown>;
}

/** Numbers of scanners by state. */
export type StateCounts = Readonly<Record<ScannerState, number>> &
  Readonly<Partial<Record<RealState, number>>>;

/** A scanner of a fleet: virtual or real. */
export type FleetMember = FleetScanner | AdoptedScanner;

/** Result of switching scanners on or off. */
export interface SwitchResult {
  /** Number of scanners that were switched. */
  readonly changed: number;
  /** Scanners that could not be switched on. */
  readonly failed: readonly { readonly serialNumber: string; readonly reason: string }[];
}

/** Many scanners in one process: virtual ones, and real ones that it has adopted. */
export class Fleet {
  readonly #store: ScannerStore;
  readonly #scanners = new Map<string, FleetScanner>();
  readonly #adopted: AdoptedFleet;
  /** All scanners, in the order in which they were given. */
  readonly #members = new Map<string, FleetMember>();
  readonly #removed = new RemovedRequests();
  /** How its virtual scanners stand, counted as they change. */
  readonly standing = new Standing<FleetScanner>();
  #lastPlace = 0;
  /** Undefined after scanners were added or removed. */
  #inOrder: readonly FleetMember[] | undefined;
  readonly #shared: SharedByScanners;
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
      standing: this.standing,
    };
    this.#macAddresses = macAddresses;
    // One timer for all.
    this.#resting = setInterval(() => this.#restUnused(restAfter), restAfter / 3).unref();
    this.#adopted = new AdoptedFleet(options, this.events);
    for (const facts of scanners) {
      if (isReal(facts)) this.#join(this.#adopted.create(facts));
      else for (const scanner of this.#create([facts])) this.#join(scanner);
    }
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
      if (failure === undefined) {
        fleet.#adopted.start();
        return fleet;
      }
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
  async add(scanners: readonly MemberFacts[]): Promise<void> {
    const added = this.#create(virtualOf(scanners));
    try {
      await this.#switchOn(added);
    } catch (error) {
      for (const scanner of added) this.#wantedOn.delete(scanner);
      throw error;
    }
    // A scanner whose power is still off cannot be reached.
    for (const scanner of added) this.#join(scanner);
    for (const facts of scanners) if (isReal(facts)) this.#join(this.#adopted.create(facts));
    this.#adopted.start();
  }

  /**
   * Switches scanners off, and removes them. Their stored data stays.
   * @param until running requests may continue until this settles; by default, they are broken off
   */
  async remove(serials: readonly string[], until?: Promise<void>): Promise<void> {
    const removed = serials.flatMap((serial) => this.#scanners.get(serial) ?? []);
    // From now on, they cannot be reached any more.
    const adopted = this.#adopted.leave(serials);
    for (const scanner of removed) {
      this.standing.leave(scanner);
      scanner.place = 0;
    }
    for (const serial of serials) {
      this.#scanners.delete(serial);
      this.#members.delete(serial);
    }
    this.#inOrder = undefined;
    const leave = (leaving: readonly FleetMember[], end: () => Promise<unknown>) =>
      this.#removed.leave(leaving, async () => {
        if (until !== undefined)
          await Promise.race([until, Promise.all(leaving.map((scanner) => scanner.responded()))]);
        await end();
      });
    await Promise.all([
      leave(adopted, () => Promise.all(adopted.map((scanner) => scanner.close()))),
      leave(removed, () => this.switchOff(removed)),
    ]);
  }

  #create(scanners: readonly ScannerFacts[]): readonly FleetScanner[] {
    return scanners.map((facts) => {
      return new FleetScanner(facts, this.#macAddresses.get(facts.serial), this.#shared);
    });
  }

  #join(scanner: FleetMember): void {
    scanner.place = ++this.#lastPlace;
    this.#members.set(scanner.facts.serial, scanner);
    this.#inOrder = undefined;
    if (!(scanner instanceof FleetScanner)) return;
    this.#scanners.set(scanner.facts.serial, scanner);
    this.standing.join(scanner);
  }

  /** All scanners, as an array. */
  get inOrder(): readonly FleetMember[] {
    this.#inOrder ??= [...this.#members.values()];
    return this.#inOrder;
  }

  /** All scanners, in the order in which they were given. */
  get members(): ReadonlyMap<string, FleetMember> {
    return this.#members;
  }

  /** True if it has adopted real scanners. */
  get hasAdopted(): boolean {
    return this.#adopted.size > 0;
  }

  /** The real scanners that it has adopted. */
  get adopted(): Iterable<AdoptedScanner> {
    return this.#adopted.scanners;
  }

  /** The virtual scanners, in the order in which they were given. */
  get scanners(): ReadonlyMap<string, FleetScanner> {
    return this.#scanners;
  }

  /** Requests of all scanners that the fleet has or had, by their groups. These counts only grow. */
  get requests(): ReadonlyMap<string, number> {
    const totals = new Map(this.standing.requests);
    addTo(totals, this.standing.of('running'));
    addTo(totals, this.#adopted.scanners);
    this.#removed.addTo(totals);
    return totals;
  }

  get states(): StateCounts {
    return { ...this.standing.total, ...this.#adopted.states };
  }

  /** Returns the scanners that match a pattern: a serial number, or a part of it with `*`; a group as `hall/*`; `*` for all. */
  matching(pattern: string): readonly FleetMember[] {
    const exact = this.#members.get(pattern);
    if (exact !== undefined) return [exact];
    const matches = matcherOf(pattern);
    return this.inOrder.filter(({ facts }) => matches(facts));
  }

  /** Returns the virtual ones of the scanners that match a pattern. */
  virtualMatching(pattern: string): readonly FleetScanner[] {
    return this.matching(pattern).filter((scanner) => scanner instanceof FleetScanner);
  }

  /** Acts on the power of the virtual ones of these scanners. Real ones have failed. */
  async switchPower(
    members: readonly FleetMember[],
    act: (scanners: readonly FleetScanner[]) => Promise<SwitchResult>,
  ): Promise<SwitchResult> {
    const virtual = members.filter((scanner) => scanner instanceof FleetScanner);
    const real = members.filter((scanner) => !(scanner instanceof FleetScanner));
    const { changed, failed } = await act(virtual);
    const refused = real.map(({ facts }) => ({ serialNumber: facts.serial, reason: noPower }));
    return { changed, failed: [...failed, ...refused] };
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
      const withTakenPort = [...this.#scanners.values()].filter(({ isPortTaken }) => isPortTaken);
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
    for (const scanner of this.standing.of('running')) void scanner.restIfUnused(milliseconds);
  }

  /** Switches all off. Stored data is on disk when the promise resolves. */
  async close(): Promise<void> {
    clearInterval(this.#resting);
    await this.#adopted.close();
    await this.switchOff([...this.#scanners.values()]);
    await this.#store.close();
  }
}

/** Request counts of removed scanners. The counts of a fleet include them, and never fall. */
class RemovedRequests {
  /** Counts by group, of scanners that have ended. */
  readonly #ended = new Map<string, number>();
  /** Scanners that are ending. They may still get requests. */
  readonly #leaving = new Set<Requested>();

  /** Keeps the counts of removed scanners, while `end` ends them and afterwards. */
  async leave(scanners: readonly Requested[], end: () => Promise<void>): Promise<void> {
    for (const scanner of scanners) this.#leaving.add(scanner);
    try {
      await end();
    } finally {
      for (const scanner of scanners) this.#leaving.delete(scanner);
      addTo(this.#ended, scanners);
    }
  }

  /** Adds the counts of the removed scanners, by group. */
  addTo(totals: Map<string, number>): void {
    for (const [group, requests] of this.#ended) totals.set(group, (totals.get(group) ?? 0) + requests);
    addTo(totals, this.#leaving);
  }
}

/** A scanner, as its requests are counted. */
type Requested = Pick<FleetMember, 'facts' | 'newRequests'>;

function addTo(totals: Map<string, number>, scanners: Iterable<Requested>): void {
  for (const { facts, newRequests } of scanners)
    totals.set(facts.group, (totals.get(facts.group) ?? 0) + newRequests);
}
