import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Mutex } from '@azimuth/async';
import { type Log, LogWith, StorageAway, SystemClock } from '@azimuth/device';
import { PortTaken, replyJson, SharedConnections } from '@azimuth/http';
import { type Release, statuses } from '@azimuth/model';
import { type Ports, ScannerService } from '@azimuth/server';
import { VirtualHost } from '@azimuth/world';
import { FaultTimeline } from '@azimuth/world/faults';
import { EarlyPorts } from './early-ports.js';
import { sendsAtPowerOn } from './is-sending.js';
import { releaseAtPowerOn } from './release-at-power-on.js';
import type { ScannerFacts, ScannerPorts } from './scanner-facts.js';
import { type Shared, serviceOptions } from './scanner-service.js';
import type { ScannerState } from './scanner-state.js';
import { ScannerUses } from './scanner-uses.js';

/** A scanner that runs. */
interface Running {
  readonly service: ScannerService;
  readonly faults: FaultTimeline;
  /** Those of the port of the fleet. */
  readonly connections: SharedConnections;
}

/** What is asked of the simulation. */
const simulation = /^\/x\/sim(?:[/?]|$)/;

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
  readonly #power = new Mutex();
  #early: EarlyPorts | undefined;
  /** The ports that it has had since the first power-on. */
  #ports: ScannerPorts | undefined;
  #running: Running | undefined;
  /** Its start, also while that waits for its turn. */
  #wanted: Promise<Running> | undefined;
  #starting: Promise<Running> | undefined;
  #ending: Promise<void> | undefined;
  #isOn = false;
  /** Is what runs being ended? */
  #isEnding = false;
  /** Has it started in this process? Then given passwords have counted, or were told to be ignored. */
  #hasStarted = false;
  #failure: string | undefined;
  /** Was a port of its own taken at its last power-on? */
  #isPortTaken = false;
  /** Time of its power-on: ms of the clock of this process. */
  #poweredOnAt = 0;
  readonly #uses = new ScannerUses();

  constructor(facts: ScannerFacts, macAddress: readonly number[], shared: Shared) {
    this.facts = facts;
    this.macAddress = macAddress;
    this.#shared = shared;
    this.#ports = facts.ports;
    this.#log = new LogWith(shared.log, () => ({ scanner: facts.serial }));
  }

  get state(): ScannerState {
    if (this.#failure !== undefined) return 'failed';
    if (!this.#isOn) return 'off';
    return this.#running === undefined ? 'idle' : 'running';
  }

  /** Why it could not start. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Requests that came by the port of the fleet and by ports of its own, since the fleet started. */
  get requests(): number {
    return this.#uses.requests(this.#running?.service.requests.received);
  }

  /** The release that it runs, or will run: that of an update, or else the one that it is delivered with. */
  get release(): Release {
    const running = this.#running?.service.device.edition.release;
    return running ?? releaseAtPowerOn(this.facts, this.#shared.store);
  }

  get ports(): Ports {
    return this.#running?.service.ports ?? { ...noPorts, ...this.#early?.ports };
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
    return this.#running?.service;
  }

  get faults(): FaultTimeline | undefined {
    return this.#running?.faults;
  }

  /**
   * Opens the ports of its own that have a number, as `switchOn` does, but before other scanners get any free ones.
   * @throws PortTaken. Then it has failed
   */
  openFixedPorts(): Promise<void> {
    return this.#power.run(async () => {
      if (!this.#isOn) await this.#orFail(() => this.#openFixed());
    });
  }

  /**
   * Power is switched on. Its power-on must have been counted by the store.
   * @throws PortTaken. Then it has failed
   */
  switchOn(): Promise<void> {
    return this.#power.run(async () => {
      if (this.#isOn) return;
      this.#poweredOnAt = performance.now();
      await this.#orFail(async () => {
        await this.#openFixed();
        await this.#early?.openAny();
      });
      this.#ports = this.#early?.ports;
      this.#failure = undefined;
      this.#isOn = true;
      this.#shared.events.tell(this, { event: 'power-on' });
      // Somebody has connected before its power was on.
      if (this.#early?.isNeeded === true) void this.#startForConnection();
    });
  }

  /** Was a port of its own taken when its power was to be switched on? */
  get isPortTaken(): boolean {
    return this.#isPortTaken;
  }

  /** Opens the ports that were taken, if they are free by now: then its power can be switched on. @returns whether they are */
  openFreedPorts(): Promise<boolean> {
    return this.#power.run(async () => {
      if (!this.#isPortTaken) return false;
      try {
        await this.#openFixed();
        return true;
      } catch (error) {
        if (error instanceof PortTaken) return false;
        throw error;
      }
    });
  }

  async #openFixed(): Promise<void> {
    if (this.#ports === undefined) return;
    const { connections } = this.#shared.limits;
    this.#early ??= await EarlyPorts.open(this.#ports, connections, () => void this.#startForConnection());
  }

  async #orFail(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.#isPortTaken = false;
    } catch (error) {
      this.#fail(error);
      this.#isPortTaken = error instanceof PortTaken;
      throw error;
    }
  }

  /** Power is switched off: what was not saved is lost. */
  switchOff(): Promise<void> {
    return this.#power.run(async () => {
      if (this.#isOn) this.#shared.events.tell(this, { event: 'power-off' });
      this.#isOn = false;
      this.#failure = undefined;
      this.#isPortTaken = false;
      this.#early?.close();
      this.#early = undefined;
      // A start goes on to its end by its clock.
      if (this.#starting !== undefined) this.#isEnding = true;
      await this.#starting?.catch(() => undefined);
      const running = this.#takeDown();
      this.#uses.breakOff();
      const closed = running?.service.close();
      // It ends by its clock, and sends nothing any more.
      this.#isEnding = true;
      await closed;
    });
  }

  /**
   * The scanner, which is started if it was not.
   * @throws Error if its power is off, or why it cannot start
   */
  async started(): Promise<ScannerService> {
    return (await this.#startedNow()).service;
  }

  async #startedNow(): Promise<Running> {
    if (this.#running !== undefined) return this.#running;
    this.#assertOn();
    this.#wanted ??= this.#shared.starts
      .now(() => this.#startOnce())
      .finally(() => {
        this.#wanted = undefined;
      });
    return this.#wanted;
  }

  /** Starts it when nobody waits for another scanner, unless its power is off by then. */
  startLater(): void {
    this.#shared.starts.later(async () => {
      // Why it cannot start is in the log and in the list.
      if (this.#isOn) await this.#startOnce().catch(() => undefined);
    });
  }

  #startOnce(): Promise<Running> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** @throws Error if its power is off, or why it cannot start */
  #assertOn(): void {
    if (this.#failure !== undefined) throw new Error(this.#failure);
    if (!this.#isOn) throw new Error('its power is off');
  }

  /**
   * Answers a request whose path is that of the scanner, at once if it runs.
   * @returns a promise if it has to be started. It rejects as `started`
   */
  receive(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const running = this.#running;
    if (running === undefined) return this.#answerOnceStarted(request, response);
    this.#answer(running, request, response);
    return undefined;
  }

  #answerOnceStarted(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = this.#startedNow().then((running) => this.#answer(running, request, response));
    this.#uses.wait(answered);
    return answered;
  }

  #answer({ service, connections }: Running, request: IncomingMessage, response: ServerResponse): void {
    this.#uses.note(request);
    // The simulation acts on a scanner that is down or without its network, and its answer outlives a power cycle.
    if (simulation.test(request.url ?? '')) this.#pass(service, request, response);
    // As a scanner that is down: nobody listens.
    else if (!service.serves) request.socket.destroy();
    else if (this.#uses.isFull) this.#refuse(request, response);
    else if (connections.isDown) {
      this.#uses.openResponse(response);
      connections.holdRequest(response, () => this.#answerHeld(service, request, response));
    } else {
      this.#pass(service, request, response);
      // Reads are answered by now.
      if (!response.writableEnded) this.#uses.openResponse(response);
    }
  }

  #answerHeld(service: ScannerService, request: IncomingMessage, response: ServerResponse): void {
    if (service.serves && !response.destroyed) this.#pass(service, request, response);
    else request.socket.destroy();
  }

  #pass(service: ScannerService, request: IncomingMessage, response: ServerResponse): void {
    this.#uses.pass();
    service.requests.receive(request, response);
  }

  /**
   * Takes a connection over for a WebSocket.
   * @param refused is called if the scanner answers it as any other request
   * @throws as `started`
   */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, refused: () => void): Promise<void> {
    const { service, connections } = await this.#startedNow();
    // It may have been switched off as soon as it had started.
    this.#assertOn();
    const isUpgrade = service.requests.takesUpgrade(request);
    // What is refused is answered, and counted, as any other request.
    if (isUpgrade) this.#uses.note(request);
    if (!service.serves || this.#uses.isFull) socket.destroy();
    else if (isUpgrade) {
      this.#uses.openSocket(request.socket);
      const open = () => service.requests.upgrade(request, socket, head);
      if (connections.isDown) connections.holdUpgrade(request.socket, open);
      else open();
    } else refused();
  }

  /**
   * Ends what runs of a scanner that was only read, and that nobody has needed for a while: its power stays on. A scanner that
   * others reach by ports of its own runs on.
   * @param milliseconds without a request and without an open connection
   */
  restIfUnused(milliseconds: number): Promise<void> {
    const isUnused = () =>
      this.#running !== undefined &&
      this.#ports === undefined &&
      !this.sendsFromPowerOn &&
      this.#running.service.telegramsSent === 0 &&
      this.#running.faults.list.length === 0 &&
      this.#uses.isUnusedFor(milliseconds);
    if (!isUnused()) return Promise.resolve();
    return this.#power.run(async () => {
      if (!isUnused()) return;
      const running = this.#takeDown();
      if (running === undefined) return;
      this.#shared.events.tell(this, { event: 'rests' });
      // Whoever needs it now waits until it has ended.
      const closed = running.service.close();
      this.#isEnding = true;
      this.#ending = closed.catch((error: unknown) =>
        this.#log.error('The scanner has not ended cleanly', { reason: String(error) }),
      );
      await this.#ending;
      this.#ending = undefined;
    });
  }

  /** Fulfilled when the requests that it is answering are answered. */
  answered(): Promise<void> {
    return this.#uses.answered();
  }

  /** What runs is to be ended by the caller. */
  #takeDown(): Running | undefined {
    const running = this.#running;
    if (running !== undefined) {
      this.#uses.finish(running.service.requests.received);
      running.connections.close();
    }
    this.#running = undefined;
    return running;
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    response.setHeader('Retry-After', 1);
    const { code, message } = statuses.outOfConnections;
    replyJson(response, 503, { header: { status: code, message } });
  }

  async #startForConnection(): Promise<void> {
    await this.started().catch(() => undefined);
  }

  async #start(): Promise<Running> {
    // Another start may have come first, and its power may be off by now.
    if (this.#running !== undefined) return this.#running;
    this.#assertOn();
    const { facts } = this;
    try {
      await this.#ending;
      const { owns = () => true } = this.#shared;
      this.#isEnding = false;
      // A process that was paused for longer than its lease has much to do at once. It must not send before it sees that, also while
      // what runs is being ended by its clock.
      const mayAct = () => owns(facts.serial);
      const clock = new SystemClock(undefined, this.#poweredOnAt, () => this.#isEnding || mayAct(), mayAct);
      const host = new VirtualHost(this.#log);
      const faults = new FaultTimeline({ clock, host, seed: facts.seed });
      const service = await ScannerService.start(
        serviceOptions(this.#shared, {
          ...{ facts, macAddress: this.macAddress, clock, host, faults, early: this.#early },
          hasStarted: this.#hasStarted,
        }),
      );
      this.#early?.close();
      this.#early = undefined;
      this.#hasStarted = true;
      const { device } = service;
      device.lifecycle.onDown(() => {
        this.#uses.breakOff();
        this.#shared.events.tell(this, { event: 'reboots' });
      });
      device.lifecycle.onUp(() => this.#shared.events.tell(this, { event: 'up' }));
      // It was on since its power-on: that time passes now.
      if (facts.faults !== undefined) faults.add(facts.faults);
      device.skipTime(() => clock.advance(Math.max(0, performance.now() - clock.monotonic())));
      this.#uses.begin();
      this.#running = { service, faults, connections: new SharedConnections(faults.link, this.#uses) };
      // Its power may have been switched off meanwhile: it ends at once then.
      if (this.#isOn) this.#shared.events.tell(this, { event: 'started' });
      return this.#running;
    } catch (error) {
      // That says nothing about the scanner: whoever needs it next tries again.
      if (error instanceof StorageAway)
        this.#log.warn('The scanner could not start for now', { reason: error.message });
      else this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    this.#failure = reasonOf(error);
    this.#isOn = false;
    this.#shared.events.tell(this, { event: 'failed', reason: this.#failure });
    this.#log.error('The scanner could not start', { reason: this.#failure });
    this.#early?.close();
    this.#early = undefined;
  }
}
