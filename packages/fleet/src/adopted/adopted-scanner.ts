import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { doubledPause, InterruptiblePause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import { type RequestContext, refuseUpgrade, respondText } from '@azimuth/http';
import { DeviceStatus, isRelease } from '@azimuth/model';
import type { EventContent } from '../events/fleet-event.js';
import type { RealState } from '../events/real-states.js';
import type { AdoptedClient, Adoption, AdoptionTimes, Look } from './adopted-client.js';
import { restTimes } from './adopted-client.js';
import { AdoptedRequests } from './adopted-requests.js';
import type { AllowedAddresses } from './allowed-addresses.js';
import type { RealScannerFacts } from './real-facts.js';
import { type Known, notAsked, shownText } from './real-state.js';
import { jittered, type Turns } from './turns.js';

/** Means that adopted scanners of a fleet share. */
export interface AdoptedShared {
  readonly adoption: Adoption;
  readonly addresses: AllowedAddresses;
  readonly turns: Turns;
  readonly log: Log;
  /** The folder of the GUI; undefined for none. */
  readonly gui?: string | undefined;
  /** True if this process may act for a scanner now; otherwise another one may. By default, it may. */
  readonly owns?: ((serial: string) => boolean) | undefined;
  readonly publish: (facts: RealScannerFacts, content: EventContent) => void;
}

/** What a real scanner of a fleet answers to a command for virtual ones. */
export const noPower = 'this is a real scanner: the fleet does not switch its power';

/**
 * A real scanner that a fleet has adopted. The fleet looks at it from time to time, follows its DeviceStatus, and forwards
 * requests to it.
 */
export class AdoptedScanner {
  readonly facts: RealScannerFacts;
  readonly #shared: AdoptedShared;
  readonly #times: AdoptionTimes;
  readonly #client: AdoptedClient;
  /** Place in the order of the fleet, from 1 on. */
  place = 0;
  readonly #requests: AdoptedRequests;
  readonly #closing = new AbortController();
  readonly #pause = new InterruptiblePause();
  #known: Known = notAsked;
  #failures = 0;
  /** Ends when the events are lost; undefined while none are followed. */
  #following: AbortController | undefined;
  /** The version that has no events. */
  #withoutEvents: string | undefined;
  /** Time of the last login (ms of the clock of this process), and whether it was accepted. */
  #login: { readonly at: number; readonly isAccepted: boolean } | undefined;
  #running: Promise<void> | undefined;

  /** @throws ForbiddenAddress */
  constructor(facts: RealScannerFacts, shared: AdoptedShared) {
    const { url, ca, serial } = facts;
    const { adoption, addresses, gui } = shared;
    this.facts = facts;
    this.#shared = shared;
    this.#times = { ...restTimes, ...adoption.times };
    addresses.checkUrl(url);
    const dial = { lookup: addresses.lookupFor(url), ca };
    this.#client = adoption.open({ url, dial });
    this.#requests = new AdoptedRequests({ url, name: `The scanner ${serial}`, dial, gui });
  }

  get known(): Known {
    return this.#known;
  }

  get state(): RealState {
    return this.#known.state;
  }

  /** Requests at the port of the fleet. */
  get requests(): number {
    return this.#requests.count;
  }

  /** Those that the fleet has not counted yet: all of them. */
  get newRequests(): number {
    return this.requests;
  }

  /** Begins to look at it. Fulfilled at once: nobody waits for a scanner that does not answer. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Looks at it now. */
  lookNow(): void {
    this.#pause.end();
  }

  /** Responds to a request whose path is the path for the scanner itself. */
  async respond(context: RequestContext, response: ServerResponse): Promise<void> {
    const refusal = this.#refusal();
    if (refusal !== undefined && !AdoptedRequests.isOwn(context)) {
      context.request.resume();
      respondText(response, 502, refusal);
      return;
    }
    await this.#requests.respond(context, response);
  }

  /** Joins a connection with a WebSocket of the scanner, or refuses it. */
  upgrade(context: RequestContext, socket: Duplex, head: Buffer): void {
    const refusal = this.#refusal();
    if (refusal === undefined) this.#requests.upgrade(context, socket, head);
    else refuseUpgrade(socket, 502, refusal);
  }

  /** Fulfilled when all running requests have their responses. WebSockets do not count. */
  responded(): Promise<void> {
    return this.#requests.responded();
  }

  /** Ends all connections with it. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#following?.abort();
    this.#pause.end();
    this.#requests.close();
    this.#client.close();
    await this.#running;
  }

  /** Nothing is forwarded to another scanner than the one that is meant. */
  #refusal(): string | undefined {
    const { serial } = this.facts;
    const { state, trouble } = this.#known;
    if (state === 'wrong-serial') return `Nothing is forwarded to the scanner ${serial}: ${trouble}.`;
    if (this.#known === notAsked) return `The scanner ${serial} does not answer: ${trouble}.`;
    return undefined;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { turns, owns = () => true } = this.#shared;
    while (!signal.aborted) {
      await turns.run(async () => {
        // A process that was paused for longer than its lease does not act for it any more.
        if (!signal.aborted && owns(this.facts.serial)) await this.#look();
      }, signal);
      if (!signal.aborted) await this.#pause.wait(jittered(this.#untilNextLook));
    }
  }

  get #untilNextLook(): number {
    const { followed, unfollowed, retry, longestRetry } = this.#times;
    if (this.#failures > 0) return doubledPause(retry, this.#failures - 1, longestRetry);
    return this.#following === undefined ? unfollowed : followed;
  }

  async #look(): Promise<void> {
    try {
      const look = await this.#client.look();
      const known = await this.#judged(look);
      this.#failures = 0;
      this.#become(known);
      if (known.state !== 'wrong-serial' && look.version !== this.#withoutEvents) this.#follow(look.version);
    } catch (error) {
      this.#failures++;
      this.#become({ ...this.#known, state: 'unreachable', trouble: shownReason(error) });
    }
  }

  /** @throws the errors of a login that got no answer */
  async #judged({ serialNumber, version, location, deviceStatus }: Look): Promise<Known> {
    const [release = ''] = /^\d+\.\d+\.\d+/.exec(version) ?? [];
    const known = {
      location: shownText(location),
      release: isRelease(release) ? release : '',
      deviceStatus,
    };
    if (serialNumber !== this.facts.serial)
      return {
        ...known,
        state: 'wrong-serial',
        trouble: `the scanner ${shownText(serialNumber)} is at its address`,
      };
    if (!(await this.#isAccepted()))
      return { ...known, state: 'locked-out', trouble: 'it has refused the login of the fleet' };
    return { ...known, state: 'online', trouble: troubleOf(deviceStatus) };
  }

  /** Logs in seldom: five wrong logins lock a scanner for all. */
  async #isAccepted(): Promise<boolean> {
    const { credentials } = this.facts;
    const { passwordOf } = this.#shared.adoption;
    if (credentials === undefined || passwordOf === undefined) return true;
    const last = this.#login;
    const isDue =
      last === undefined || (!last.isAccepted && performance.now() - last.at > this.#times.logins);
    if (!isDue) return last.isAccepted;
    const isAccepted = await this.#client.accepts(credentials.user, passwordOf(this.facts));
    this.#login = { at: performance.now(), isAccepted };
    return isAccepted;
  }

  #follow(version: string): void {
    if (this.#following !== undefined) return;
    const following = new AbortController();
    this.#following = following;
    this.#followUntilLost(version, following.signal).finally(() => {
      if (this.#following === following) this.#following = undefined;
    });
  }

  async #followUntilLost(version: string, signal: AbortSignal): Promise<void> {
    const { turns, log } = this.#shared;
    const registered = await turns.registration();
    try {
      if (signal.aborted) return;
      const lost = await this.#client.follow((deviceStatus) => {
        registered();
        this.#statusIs(deviceStatus);
      }, signal);
      if (lost === undefined && !signal.aborted) this.#withoutEvents = version;
    } catch (error) {
      log.warn('Events of a real scanner could not be followed', {
        scanner: this.facts.serial,
        reason: shownReason(error),
      });
    } finally {
      registered();
    }
    // The connection was lost: the next look shows whether the scanner is.
    if (!signal.aborted && this.#withoutEvents !== version) {
      this.#failures ||= 1;
      this.lookNow();
    }
  }

  #statusIs(deviceStatus: number): void {
    const { owns = () => true } = this.#shared;
    if (this.#known.state === 'online' && owns(this.facts.serial))
      this.#become({ ...this.#known, deviceStatus, trouble: troubleOf(deviceStatus) });
  }

  #become(known: Known): void {
    if (this.#closing.signal.aborted) return;
    const before = this.#known;
    this.#known = known;
    const { publish } = this.#shared;
    const { state, trouble, deviceStatus } = known;
    if (state !== before.state || before === notAsked)
      publish(this.facts, { event: 'state', state, ...(trouble === undefined ? {} : { trouble }) });
    if (deviceStatus !== undefined && deviceStatus !== before.deviceStatus)
      publish(this.facts, { event: 'value', name: 'DeviceStatus', value: deviceStatus });
    if (state !== 'wrong-serial') return;
    // It is another scanner.
    this.#following?.abort();
    if (before.state !== state) this.#requests.breakOff();
  }
}

/** Returns what is wrong with a scanner of this status; undefined if it works normally. */
function troubleOf(deviceStatus: number): string | undefined {
  if (deviceStatus === DeviceStatus.DS_NormalOperation) return undefined;
  const [name] = Object.entries(DeviceStatus).find(([, number]) => number === deviceStatus) ?? ['unknown'];
  return `DeviceStatus ${deviceStatus} (${name})`;
}

function shownReason(error: unknown): string {
  return shownText(error instanceof Error ? error.message : String(error));
}
