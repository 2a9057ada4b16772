import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Mutex } from '@azimuth/async';
import { type Log, LogWith, StorageUnavailable } from '@azimuth/device';
import { PortTaken, type RequestContext, SharedConnections } from '@azimuth/http';
import type { Release } from '@azimuth/model';
import type { Ports, ScannerService } from '@azimuth/server';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import { EarlyPorts } from './early-ports.js';
import type { ScannerFacts } from './scanner-facts.js';
import { ScannerRequests } from './scanner-requests.js';
import { ServiceStarts, type Shared } from './scanner-service.js';
import {
  type Event,
  earlyPortsOf,
  type Idle,
  isOn,
  type On,
  type Queued,
  type Run,
  type ScannerState,
  type State,
  stateAfter,
  toldState,
} from './scanner-state.js';
import { releaseAtPowerOn, sendsAtPowerOn } from './scanner-store.js';
import { ScannerUses } from './scanner-uses.js';

/** Ports of a scanner that has none of its own. */
const noPorts: Ports = { http: null, https: null, legacyA: null, legacyB: null, search: null, control: null };

/** The advice for a port that is taken is about the options of one scanner. */
function reasonOf(error: unknown): string {
  if (error instanceof PortTaken) return error.problem;
  return error instanceof Error ? error.message : String(error);
}

/** A scanner of a fleet. It is started when it is needed for the first time. To its clients, it was on since its power-on. */
export class FleetScanner {
  readonly facts: ScannerFacts;
  readonly macAddress: readonly number[];
  readonly #shared: Shared;
  readonly #log: Log;
  /** Who switches its power waits for whoever does so already. */
  readonly #power = new Mutex();
  readonly #uses = new ScannerUses();
  readonly #requests: ScannerRequests;
  readonly #services: ServiceStarts;
  #state: State;

  constructor(facts: ScannerFacts, macAddress: readonly number[], shared: Shared) {
    this.facts = facts;
    this.macAddress = macAddress;
    this.#shared = shared;
    this.#state = { kind: 'off', ports: facts.ports };
    this.#log = new LogWith(shared.log, () => ({ scanner: facts.serial }));
    this.#requests = new ScannerRequests(
      { running: () => this.#run, started: () => this.#started(), assertOn: () => void this.#stateIfOn() },
      this.#uses,
    );
    this.#services = new ServiceStarts(shared, facts);
  }

  get state(): ScannerState {
    return toldState(this.#state);
  }

  /** Why it could not start. */
  get failure(): string | undefined {
    return this.#state.kind === 'failed' ? this.#state.reason : undefined;
  }

  /** Was a port of its own taken when its power was to be switched on? */
  get isPortTaken(): boolean {
    return this.#state.kind === 'failed' && this.#state.isPortTaken;
  }

  /** Requests that came by the port of the fleet and by ports of its own, since the fleet started. */
  get requests(): number {
    return this.#uses.requests(this.service?.requests.received);
  }

  /** The release that it runs, or will run: that of an update, or else the one that it is delivered with. */
  get release(): Release {
    return this.service?.device.served.edition.release ?? releaseAtPowerOn(this.facts, this.#shared.store);
  }

  get ports(): Ports {
    return this.service?.ports ?? { ...noPorts, ...earlyPortsOf(this.#state)?.ports };
  }

  /** Does it send data from its power-on on, by its stored parameters? */
  get sendsFromPowerOn(): boolean {
    return sendsAtPowerOn(this.facts, this.#shared.store);
  }

  /** Does it do something from its power-on on, before anybody needs it: send data, or serve HTTPS by a port of its own? */
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

  get #run(): Run | undefined {
    return this.#state.kind === 'running' ? this.#state.run : undefined;
  }

  /**
   * Opens the ports of its own that have a number, as `switchOn` does, but before other scanners get any free ones.
   * @throws PortTaken. Then it has failed
   */
  openFixedPorts(): Promise<void> {
    return this.#power.run(async () => {
      if (!isOn(this.#state)) await this.#orFail(() => this.#openFixed());
    });
  }

  /** Opens the ports that were taken, if they are free by now: then its power can be switched on. @returns whether they are */
  openFreedPorts(): Promise<boolean> {
    return this.#power.run(async () => {
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
   * Power is switched on. Its power-on must have been counted by the store.
   * @throws PortTaken. Then it has failed
   */
  switchOn(): Promise<void> {
    return this.#power.run(async () => {
      if (isOn(this.#state)) return;
      const poweredOnAt = performance.now();
      await this.#orFail(async () => {
        await this.#openFixed();
        await earlyPortsOf(this.#state)?.openAny();
      });
      const early = earlyPortsOf(this.#state);
      this.#pass('switchedOn', { kind: 'idle', ports: early?.ports, poweredOnAt, early });
      this.#shared.events.tell(this, { event: 'power-on' });
      // Somebody has connected before its power was on.
      if (early?.isNeeded === true) this.#startForConnection();
    });
  }

  /** Power is switched off: what was not saved is lost. */
  switchOff(): Promise<void> {
    return this.#power.run(async () => {
      const state = this.#state;
      const { ports } = state;
      if (isOn(state)) this.#shared.events.tell(this, { event: 'power-off' });
      earlyPortsOf(state)?.close();
      if (state.kind !== 'starting' && state.kind !== 'running') {
        this.#pass('switchedOff', { kind: 'off', ports });
        return;
      }
      // A start goes on to its end by its clock.
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
   * Ends what runs of a scanner that was only read, and that nobody has needed for a while: its power stays on. A scanner that
   * others reach by ports of its own runs on.
   * @param milliseconds without a request and without an open connection
   */
  restIfUnused(milliseconds: number): Promise<void> {
    if (!this.#isUnusedFor(milliseconds)) return Promise.resolve();
    return this.#power.run(async () => {
      const state = this.#state;
      if (state.kind !== 'running' || !this.#isUnusedFor(milliseconds)) return;
      this.#shared.events.tell(this, { event: 'rests' });
      const ended = this.#end(state.run).catch((error: unknown) =>
        this.#log.error('The scanner has not ended cleanly', { reason: String(error) }),
      );
      const { ports, poweredOnAt } = state;
      // Whoever needs it now waits until it has ended.
      this.#pass('unused', { kind: 'ending', ports, isOn: true, ended });
      await ended;
      this.#pass('rested', { kind: 'idle', ports, poweredOnAt });
    });
  }

  /**
   * The scanner, which is started if it was not.
   * @throws Error if its power is off, or why it cannot start
   */
  async started(): Promise<ScannerService> {
    return (await this.#started()).service;
  }

  /** Starts it when nobody waits for another scanner, unless its power is off by then. */
  startLater(): void {
    this.#shared.starts.later(async () => {
      // Why it cannot start is in the log and in the list.
      if (isOn(this.#state)) await this.#startOnce().catch(() => undefined);
    });
  }

  /** As {@link ScannerRequests.receive}. */
  receive(context: RequestContext, response: ServerResponse): Promise<void> | undefined {
    return this.#requests.receive(context, response);
  }

  /** As {@link ScannerRequests.upgrade}. */
  upgrade(context: RequestContext, socket: Duplex, head: Buffer, refused: () => void): Promise<void> {
    return this.#requests.upgrade(context, socket, head, refused);
  }

  /** Fulfilled when the requests that it is answering are answered. */
  answered(): Promise<void> {
    return this.#uses.answered();
  }

  #pass(event: Event, next: State): void {
    this.#state = stateAfter(this.#state, event, next);
  }

  async #openFixed(): Promise<void> {
    const state = this.#state;
    if (state.ports === undefined || (state.kind !== 'off' && state.kind !== 'failed')) return;
    if (state.early !== undefined) return;
    const { connections } = this.#shared.limits;
    const early = await EarlyPorts.open(state.ports, connections, () => this.#startForConnection());
    this.#pass('portsOpened', { ...state, early });
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
    const early = earlyPortsOf(this.#state);
    this.#pass('failed', { kind: 'failed', ports: this.#state.ports, reason, isPortTaken });
    // If its power went off meanwhile, it is off.
    if (this.#state.kind === 'failed') this.#shared.events.tell(this, { event: 'failed', reason });
    this.#log.error('The scanner could not start', { reason });
    early?.close();
  }

  #startForConnection(): void {
    this.#started().catch(() => undefined);
  }

  /** What runs of it. If nothing does, its start is put into the queue, unless it is there. */
  async #started(): Promise<Run> {
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

  /** Another start may have come first, and its power may be off by now. */
  async #startOnce(): Promise<Run> {
    const state = this.#stateIfOn();
    if (state.kind === 'ending') return state.ended.then(() => this.#startOnce());
    if (state.kind === 'running' || state.kind === 'starting') return state.run;
    const run = Promise.resolve().then(() => this.#start(state));
    this.#pass('begun', { ...state, kind: 'starting', run });
    return run;
  }

  async #start({ ports, poweredOnAt, early }: Idle | Queued): Promise<Run> {
    try {
      const { service, faults } = await this.#services.start({
        ...{ macAddress: this.macAddress, poweredOnAt, early, log: this.#log },
        isEnding: () => this.#state.kind !== 'starting' && this.#state.kind !== 'running',
        down: () => {
          this.#uses.breakOff();
          this.#shared.events.tell(this, { event: 'reboots' });
        },
        up: () => this.#shared.events.tell(this, { event: 'up' }),
      });
      this.#uses.begin();
      const run = { service, faults, connections: new SharedConnections(faults.link, this.#uses) };
      this.#pass('started', { kind: 'running', ports, poweredOnAt, run });
      // Its power may have been switched off meanwhile: it ends at once then.
      if (isOn(this.#state)) this.#shared.events.tell(this, { event: 'started' });
      return run;
    } catch (error) {
      // That says nothing about the scanner: whoever needs it next tries again.
      if (error instanceof StorageUnavailable) {
        this.#log.warn('The scanner could not start for now', { reason: error.message });
        this.#pass('putOff', { kind: 'idle', ports, poweredOnAt, early });
      } else this.#fail(error, false);
      throw error;
    }
  }

  #isUnusedFor(milliseconds: number): boolean {
    const run = this.#run;
    return (
      run !== undefined &&
      this.facts.ports === undefined &&
      !this.sendsFromPowerOn &&
      run.service.telegramsSent === 0 &&
      run.faults.list.length === 0 &&
      this.#uses.isUnusedFor(milliseconds)
    );
  }

  /** Ends what runs: it sends nothing any more, and goes on to its end by its clock. */
  #end({ service, connections }: Run): Promise<void> {
    this.#uses.finish(service.requests.received);
    connections.close();
    this.#uses.breakOff();
    return service.close();
  }
}
