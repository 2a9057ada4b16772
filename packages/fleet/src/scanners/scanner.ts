import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Mutex } from '@azimuth/async';
import { StorageUnavailable, virtualIdentity } from '@azimuth/device';
import { PortTaken, type RequestContext, SharedPortCable } from '@azimuth/http';
import type { Release } from '@azimuth/model';
import type { Ports, ScannerService } from '@azimuth/server';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import { unsavedOf } from '../events/watched-scanner.js';
import { IdlePorts } from './idle-ports.js';
import type { ScannerFacts } from './scanner-facts.js';
import { keptOf, type Parts, partsOf } from './scanner-parts.js';
import type { Shared } from './scanner-service.js';
import {
  type Event,
  type Idle,
  idlePortsOf,
  isOn,
  type Off,
  type On,
  publicState,
  type Queued,
  type RunningParts,
  type ScannerState,
  type State,
  stateAfter,
} from './scanner-state.js';
import { releaseAtPowerOn, sendsAtPowerOn } from './scanner-store.js';
import type { Standing } from './standing.js';

/** Ports of a scanner that has none of its own. */
const noPorts: Ports = {
  http: null,
  https: null,
  legacyA: null,
  legacyB: null,
  search: null,
  control: null,
  velocity: null,
};

/** Removes the advice from the message about a taken port: it is for the options of a single scanner. */
function reasonOf(error: unknown): string {
  if (error instanceof PortTaken) return error.problem;
  return error instanceof Error ? error.message : String(error);
}

/** Shared by all scanners of a fleet. */
export interface SharedByScanners extends Shared {
  readonly standing: Standing<FleetScanner>;
}

const offWithoutPorts: Off = { kind: 'off', ports: undefined };

/**
 * A scanner of a fleet. It is started when it is needed for the first time. Clients see a scanner that has run since its
 * power-on.
 */
export class FleetScanner {
  readonly facts: ScannerFacts;
  /** Place in the order of the fleet, from 1 on; 0 if it does not belong to it. */
  place = 0;
  readonly #macAddress: readonly number[] | undefined;
  readonly #shared: SharedByScanners;
  /** Serialises the switching of its power. */
  #power: Mutex | undefined;
  #parts: Parts | undefined;
  #state: State;
  /** Requests that the fleet has counted. */
  #counted = 0;

  /** @param macAddress undefined for the usual one of its serial number */
  constructor(facts: ScannerFacts, macAddress: readonly number[] | undefined, shared: SharedByScanners) {
    this.facts = facts;
    this.#macAddress = macAddress;
    this.#shared = shared;
    const { ports } = facts;
    this.#state = ports === undefined ? offWithoutPorts : { kind: 'off', ports };
  }

  get macAddress(): readonly number[] {
    return this.#macAddress ?? virtualIdentity(this.facts.serial).macAddress;
  }

  /** Made when it is needed: most scanners of a large fleet are never asked. */
  get #used(): Parts {
    this.#parts ??= partsOf(this.#shared, this.facts, {
      running: () => this.#run,
      started: () => this.#started(),
      assertOn: () => void this.#stateIfOn(),
    });
    return this.#parts;
  }

  get state(): ScannerState {
    return publicState(this.#state);
  }

  /** The reason why it could not start. */
  get failure(): string | undefined {
    return this.#state.kind === 'failed' ? this.#state.reason : undefined;
  }

  /** True if a port of its own was taken at power-on. */
  get isPortTaken(): boolean {
    return this.#state.kind === 'failed' && this.#state.isPortTaken;
  }

  /** Requests at the port of the fleet and at ports of its own, since the fleet started. */
  get requests(): number {
    return this.#parts?.uses.requests(this.service?.requests.received) ?? 0;
  }

  /** Those that the fleet has not counted yet. */
  get newRequests(): number {
    return this.requests - this.#counted;
  }

  /** Parameters that a power cut would lose, also while it is put away. */
  get unsaved(): number {
    const state = this.#state;
    if (state.kind === 'running') return unsavedOf(state.run.service.device);
    return 'kept' in state ? (state.kept?.unsaved ?? 0) : 0;
  }

  /** The release that it runs, or will run: the one of an update, or else the delivered one. */
  get release(): Release {
    return this.service?.device.served.edition.release ?? releaseAtPowerOn(this.facts, this.#shared.store);
  }

  get ports(): Ports {
    return this.service?.ports ?? { ...noPorts, ...idlePortsOf(this.#state)?.ports };
  }

  /** True if its stored parameters make it send data from power-on. */
  get sendsFromPowerOn(): boolean {
    return sendsAtPowerOn(this.facts, this.#shared.store);
  }

  /** True if it starts at power-on, before a client needs it: it sends data, or serves HTTPS at a port of its own. */
  get startsAtPowerOn(): boolean {
    const { ports, serial } = this.facts;
    return this.sendsFromPowerOn || (ports !== undefined && this.#shared.store.hasCertificates(serial));
  }

  /** The scanner itself, while it runs. */
  get service(): ScannerService | undefined {
    return this.#run?.service;
  }

  get faults(): FaultTimeline | undefined {
    return this.#run?.faults;
  }

  get #run(): RunningParts | undefined {
    return this.#state.kind === 'running' ? this.#state.run : undefined;
  }

  /**
   * Opens its own ports that have a number, like `switchOn`, but before other scanners get free ports.
   * @throws PortTaken; the scanner has failed then
   */
  openFixedPorts(): Promise<void> {
    return this.#alone(async () => {
      if (!isOn(this.#state)) await this.#orFail(() => this.#openFixed());
    });
  }

  /**
   * Opens the ports that were taken, if they are free now. Its power can then be switched on. @returns true if they are open
   */
  openFreedPorts(): Promise<boolean> {
    return this.#alone(async () => {
      if (!this.isPortTaken) return false;
      try {
        await this.#openFixed();
        return true;
      } catch (error) {
        if (error instanceof PortTaken) return false;
        throw error;
      }
    });
  }

  /**
   * Switches the power on. The store must have counted its power-on.
   * @throws PortTaken; the scanner has failed then
   */
  switchOn(): Promise<void> {
    return this.#alone(async () => {
      if (isOn(this.#state)) return;
      if (this.facts.ports === undefined) {
        this.#switchedOn(undefined);
        return;
      }
      const poweredOnAt = performance.now();
      await this.#orFail(async () => {
        await this.#openFixed();
        await idlePortsOf(this.#state)?.openAny();
      });
      this.#switchedOn(idlePortsOf(this.#state), poweredOnAt);
    });
  }

  #switchedOn(idlePorts: IdlePorts | undefined, poweredOnAt = performance.now()): void {
    this.#pass('switchedOn', { kind: 'idle', ports: idlePorts?.ports, poweredOnAt, idlePorts });
    this.#shared.events.publish(this, { event: 'power-on' });
    // A client has connected before the power was on.
    if (idlePorts?.isNeeded === true) this.#startForConnection();
  }

  /** Switches the power off: unsaved values are lost. */
  switchOff(): Promise<void> {
    return this.#alone(async () => {
      const state = this.#state;
      const { ports } = state;
      if (isOn(state)) this.#shared.events.publish(this, { event: 'power-off' });
      idlePortsOf(state)?.close();
      if (state.kind !== 'starting' && state.kind !== 'running') {
        this.#pass('switchedOff', { kind: 'off', ports });
        return;
      }
      // By its clock, a start continues to its end.
      const ended =
        state.kind === 'running'
          ? this.#end(state.run)
          : state.run.then(
              (run) => this.#end(run),
              () => undefined,
            );
      this.#pass('switchedOff', { kind: 'ending', ports, isOn: false, ended });
      try {
        await ended;
      } finally {
        this.#pass('ended', { kind: 'off', ports });
      }
    });
  }

  /**
   * Puts a scanner away that nobody has needed for a while: its power stays on, and it holds what its clients have left.
   * A scanner with ports of its own, or of which more than this would be lost, continues to run.
   * @param milliseconds without a request and without an open connection
   */
  restIfUnused(milliseconds: number): Promise<void> {
    if (!this.#isUnusedFor(milliseconds)) return Promise.resolve();
    return this.#alone(async () => {
      const state = this.#state;
      if (state.kind !== 'running' || !this.#isUnusedFor(milliseconds)) return;
      const kept = keptOf(state.run);
      if (kept === undefined) return;
      this.#shared.events.publish(this, { event: 'rests' });
      const ended = this.#end(state.run).catch((error: unknown) =>
        this.#used.log.error('The scanner has not ended cleanly', { reason: String(error) }),
      );
      const { ports, poweredOnAt } = state;
      // Clients that need it now wait until it has ended.
      this.#pass('unused', { kind: 'ending', ports, isOn: true, ended });
      await ended;
      if (!this.#used.uses.wasChanged) this.#used.services.forgetWorld();
      this.#pass('rested', { kind: 'idle', ports, poweredOnAt, kept });
    });
  }

  /**
   * Returns the running scanner, and starts it if needed.
   * @throws Error if its power is off, or why it cannot start
   */
  async started(): Promise<ScannerService> {
    return (await this.#started()).service;
  }

  /** Starts it when no other scanner is waited for, unless its power is off by then. */
  startLater(): void {
    this.#shared.starts.later(async () => {
      // The reason of a failure is in the log and in the list.
      if (isOn(this.#state)) await this.#startOnce().catch(() => undefined);
    });
  }

  /** As {@link ScannerRequests.receive}. */
  receive(context: RequestContext, response: ServerResponse): Promise<void> | undefined {
    return this.#used.requests.receive(context, response);
  }

  /** As {@link ScannerRequests.upgrade}. */
  upgrade(context: RequestContext, socket: Duplex, head: Buffer, refused: () => void): Promise<void> {
    return this.#used.requests.upgrade(context, socket, head, refused);
  }

  /** Fulfilled when all its running requests have their responses. */
  async responded(): Promise<void> {
    await this.#parts?.uses.responded();
  }

  #pass(event: Event, next: State): void {
    const before = this.state;
    this.#state = stateAfter(this.#state, event, next);
    this.#shared.standing.changed(this, before);
  }

  #alone<T>(act: () => Promise<T>): Promise<T> {
    this.#power ??= new Mutex();
    return this.#power.run(act);
  }

  async #openFixed(): Promise<void> {
    const state = this.#state;
    if (state.ports === undefined || (state.kind !== 'off' && state.kind !== 'failed')) return;
    if (state.idlePorts !== undefined) return;
    const { connections } = this.#shared.limits;
    const idlePorts = await IdlePorts.open(state.ports, connections, () => this.#startForConnection());
    this.#pass('portsOpened', { ...state, idlePorts });
  }

  async #orFail(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#fail(error, error instanceof PortTaken);
      throw error;
    }
  }

  #fail(error: unknown, isPortTaken: boolean): void {
    const reason = reasonOf(error);
    const idlePorts = idlePortsOf(this.#state);
    this.#pass('failed', { kind: 'failed', ports: this.#state.ports, reason, isPortTaken });
    // If its power went off in between, it is off.
    if (this.#state.kind === 'failed') this.#shared.events.publish(this, { event: 'failed', reason });
    this.#used.log.error('The scanner could not start', { reason });
    idlePorts?.close();
  }

  #startForConnection(): void {
    this.#started().catch(() => undefined);
  }

  /** Returns the running parts. If nothing runs, the start is queued, unless it is queued already. */
  async #started(): Promise<RunningParts> {
    const state = this.#stateIfOn();
    if (state.kind === 'ending') return state.ended.then(() => this.#started());
    if (state.kind !== 'idle') return state.run;
    const run = Promise.resolve().then(() => this.#shared.starts.now(() => this.#startOnce()));
    this.#pass('needed', { ...state, kind: 'queued', run });
    return run;
  }

  /** @throws Error if its power is off, or why it cannot start */
  #stateIfOn(): On {
    const state = this.#state;
    if (state.kind === 'failed') throw new Error(state.reason);
    if (state.kind === 'off' || !isOn(state)) throw new Error('its power is off');
    return state;
  }

  /** Starts it once: another start may have come first, and its power may be off. */
  async #startOnce(): Promise<RunningParts> {
    const state = this.#stateIfOn();
    if (state.kind === 'ending') return state.ended.then(() => this.#startOnce());
    if (state.kind === 'running' || state.kind === 'starting') return state.run;
    const run = Promise.resolve().then(() => this.#start(state));
    this.#pass('begun', { ...state, kind: 'starting', run });
    return run;
  }

  async #start({ ports, poweredOnAt, idlePorts, kept }: Idle | Queued): Promise<RunningParts> {
    try {
      const { service, faults } = await this.#used.services.start({
        ...{ macAddress: this.macAddress, poweredOnAt, idlePorts, log: this.#used.log, kept: kept?.service },
        isEnding: () => this.#state.kind !== 'starting' && this.#state.kind !== 'running',
        down: () => {
          this.#used.uses.breakOff();
          this.#shared.events.publish(this, { event: 'reboots' });
        },
        up: () => this.#shared.events.publish(this, { event: 'up' }),
      });
      this.#used.uses.begin();
      const run = { service, faults, cable: new SharedPortCable(faults.link, this.#used.uses) };
      this.#pass('started', { kind: 'running', ports, poweredOnAt, run });
      // Its power may have been switched off in between: then it ends at once.
      if (isOn(this.#state)) this.#shared.events.publish(this, { event: 'started' });
      return run;
    } catch (error) {
      // This is not a failure of the scanner: the next client that needs it tries again.
      if (error instanceof StorageUnavailable) {
        this.#used.log.warn('The scanner could not start for now', { reason: error.message });
        this.#pass('putOff', { kind: 'idle', ports, poweredOnAt, idlePorts, kept });
      } else this.#fail(error, false);
      throw error;
    }
  }

  /** Called when the service has ended: from here on, its requests are those of the fleet. */
  #countRequests(): void {
    const requests = this.#used.uses.requests(undefined);
    this.#shared.standing.addRequests(this.facts.group, requests - this.#counted);
    this.#counted = requests;
  }

  #isUnusedFor(milliseconds: number): boolean {
    const run = this.#run;
    return (
      run !== undefined &&
      this.facts.ports === undefined &&
      !this.sendsFromPowerOn &&
      run.service.telegramsSent === 0 &&
      run.faults.list.length === 0 &&
      this.#used.uses.isUnusedFor(milliseconds)
    );
  }

  /** Ends the running parts: it sends nothing any more, and its clock continues to the end. */
  #end({ service, cable }: RunningParts): Promise<void> {
    this.#used.uses.finish(service.requests.received);
    this.#countRequests();
    cable.close();
    this.#used.uses.breakOff();
    return service.close();
  }
}
