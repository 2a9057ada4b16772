import { pause } from '@azimuth/async';
import {
  AnswerError,
  ClientError,
  NoEventsError,
  NotDoneError,
  Scanner,
  UnreachableError,
} from '@azimuth/client';
import type { SiteScanner } from '@azimuth/http/site';
import {
  basicSettings,
  builtInInterface,
  device,
  extensionPrefix,
  extensionVariables,
  fieldEvaluation,
  isObject,
  type KnownInterface,
  type Variable,
} from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { Latch, Semaphore } from '../parts/waiting.js';
import { Login } from '../session/login.js';
import { Absences, AddressMove } from './absence.js';
import type { Edition } from './declarations.js';
import { editionOf, levelFor } from './declarations.js';
import type { Gateway } from './gateway.js';
import { ChangeHistory, EventLog } from './history.js';
import { LivenessCheck, responseTimeout } from './liveness-check.js';
import { learnProfiles } from './profiles.js';
import { Readings } from './readings.js';
import { StoredParameters } from './stored-parameters.js';

/** Variables in which variants differ. */
const telling = [
  fieldEvaluation.members.FieldEvaluationResult,
  basicSettings.members.PerformanceProfileNumber,
];

/** State of the connection to a scanner, and the way in which its changes arrive. */
export type LinkState =
  | { readonly kind: 'connecting' }
  /** Changes are announced as they happen. */
  | { readonly kind: 'live' }
  /** The scanner announces nothing to this page: the values on the screen are read every few seconds. */
  | { readonly kind: 'polling' }
  /** @property since ms, by performance.now() */
  | { readonly kind: 'unreachable'; readonly since: number; readonly why: string };

/** ms for a response that shows whether the scanner answers at all. */
const probeTimeout = 2000;
/** ms between two reads of the values on the screen, for scanners without announcements. */
const pollEvery = 3000;

/**
 * Limits the reads of all scanners of the page at the same time. A browser has more connections, so that a command of
 * the person is sent at once.
 */
const reads = new Semaphore(5);
/**
 * Limits the WebSockets that are being opened at the same time. Browsers connect one WebSocket to a server at a time.
 */
const openings = new Semaphore(4);
/** Limits the checks whether scanners answer. A missing scanner takes long, and others must not wait for it. */
const probes = new Semaphore(3);

/** The name of a scanner that has got no name yet. */
const unnamed = device.members.LocationName.type.initial;
const extensionNames = new Set(extensionVariables.map(({ name }) => name));

export function wireName(name: string): string {
  return extensionNames.has(name) ? extensionPrefix + name : name;
}

interface LinkOptions {
  readonly gateway?: Gateway | undefined;
  /** True if others share the connections of the page: nothing is read before the scanner has answered once. */
  readonly isOneOfSeveral?: boolean;
}

/** Row of a scanner in a list of scanners. */
type Listed = Pick<SiteScanner, 'url' | 'name' | 'location'>;

/** One scanner for the pages: its values, its state, and the commands to it. */
export class ScannerLink {
  readonly url: string;
  readonly #shownUrl: Signal<string>;
  /** Brings scan data to this page; undefined if the scanner itself serves this page. */
  readonly gateway: Gateway | undefined;
  /** True if a fleet serves this page and knows where the scanner is. Its address for people is then that of the fleet. */
  readonly isOfFleet: boolean;
  readonly readings: Readings;
  readonly stored: StoredParameters;
  readonly login: Login;
  readonly history = new ChangeHistory(() => ({
    url: this.#shownUrl.peek(),
    level: this.login.scanner.peek()?.user,
  }));
  /** Changes since this page was opened. */
  readonly log = new EventLog();
  readonly #state: Signal<LinkState> = signal({ kind: 'connecting' });
  readonly state: ReadonlySignal<LinkState> = this.#state;
  /** Reboots that were requested on this page. */
  readonly absences = new Absences(() => this.#state.value.kind === 'unreachable');
  /** The change of its address that was requested on this page. */
  readonly addressMove: AddressMove;
  readonly #hasSimulation: Signal<boolean> = signal(false);
  /**
   * True if its simulation can be controlled from this page: only pages that a virtual scanner serves itself can do
   * that.
   */
  readonly hasSimulation: ReadonlySignal<boolean> = this.#hasSimulation;
  readonly #anonymous: Scanner;
  #stop = new AbortController();
  /** Set when the scanner has answered. Before that, no variable is read. */
  readonly #responded = new Latch();

  /** @param url as this page reaches it */
  constructor(url: string, { gateway, isOneOfSeveral = false }: LinkOptions = {}) {
    this.url = url;
    this.#shownUrl = signal(url);
    this.gateway = gateway;
    this.isOfFleet = isOneOfSeveral && gateway === undefined;
    this.addressMove = new AddressMove({
      respondsHere: () => this.#responds(),
      // Only `azimuth gui` can reach a scanner at another address for these pages.
      respondsAt: gateway && ((to) => this.#arrivesAt(gateway, to)),
      pause,
      now: () => performance.now(),
    });
    if (!isOneOfSeveral) this.#responded.set();
    this.#anonymous = new Scanner({ url });
    this.login = new Login(url, (endpoint) => levelFor(endpoint, this.known.peek()));
    this.readings = new Readings(async (name) => {
      await this.#responded.whenSet;
      const value = await reads.run(() => this.#anonymous.readAny(name));
      this.log.read(name, value);
      return value;
    });
    this.stored = new StoredParameters(this, (read) => reads.run(read));
  }

  /** Its address for people and commands. */
  get shownUrl(): string {
    return this.#shownUrl.value;
  }

  /** Host and port of `shownUrl`. */
  get shownAddress(): string {
    return this.shownUrl.replace(/^https?:\/\//, '');
  }

  /** The client, with the login if there is one. */
  get scanner(): Scanner {
    return this.login.scanner.value ?? this.#anonymous;
  }

  readonly #known: Signal<KnownInterface> = signal(builtInInterface);
  /** True if a component has used what is known. A list of many scanners would fetch too many descriptions. */
  #isKnownWanted = false;

  /** Names that are known: the model, and its own description as soon as that is here. */
  readonly known: ReadonlySignal<KnownInterface> = computed(() => {
    if (!this.#isKnownWanted) {
      this.#isKnownWanted = true;
      // Not while a signal is computed.
      queueMicrotask(() => void this.#describe());
    }
    return this.#known.value;
  });

  async #describe(): Promise<void> {
    await this.#responded.whenSet;
    const { description } = this.#anonymous;
    try {
      const known = await reads.run(() => description.whole());
      learnProfiles(known);
      this.#known.value = known;
    } catch (error) {
      // It is fetched again when the scanner is back.
      if (!(error instanceof ClientError)) throw error;
    }
  }

  /** Its release and variant; undefined until they are known. */
  readonly edition: ReadonlySignal<Edition | undefined> = computed(() => {
    const ident = this.readings.valueOf('DeviceIdent');
    if (!isObject(ident) || typeof ident.Version !== 'string') return undefined;
    const states = telling.map(({ name }) => this.readings.of(name).value.state);
    if (states.includes('waiting')) return undefined;
    return editionOf(
      ident.Version,
      telling.filter((_, index) => states[index] !== 'missing'),
      this.known.value,
    );
  });

  /** Its name in the list, if that is neither its own name nor its address. */
  readonly #givenName: Signal<string | undefined> = signal(undefined);

  /** Its LocationName, as a list knows it: also while it does not answer. */
  readonly #listedLocation: Signal<string | undefined> = signal(undefined);

  /** Takes over what a list of scanners says about this one. */
  listed({ url, name, location }: Listed): void {
    if (this.addressMove.state.peek() === undefined) this.#shownUrl.value = url;
    const isAddress = name === this.shownAddress || name === url;
    this.#givenName.value = isAddress || name === location ? undefined : name;
    this.#listedLocation.value = location;
  }

  /**
   * The name that a person gave it, in the list before that at the scanner. Otherwise, its device name and serial
   * number, or its address if it has never answered.
   */
  readonly title: ReadonlySignal<string> = computed(() => {
    const given = this.#givenName.value;
    if (given !== undefined) return given;
    const location = this.readings.valueOf('LocationName');
    if (typeof location === 'string' && location !== '' && location !== unnamed) return location;
    const ident = this.readings.valueOf('DeviceIdent');
    const serial = this.readings.valueOf('SerialNumber');
    if (isObject(ident)) return `${String(ident.Name)} ${String(serial ?? '')}`.trim();
    return this.#listedLocation.value ?? this.shownAddress;
  });

  /** Returns the value of a variable; undefined until it is known. Reads it if it was not read. */
  value(name: string): unknown {
    return this.readings.valueOf(wireName(name));
  }

  /** The variable of a name, as the scanner describes it. */
  declared(name: string): Variable<unknown> | undefined {
    return this.known.value.variable(name);
  }

  isPending(name: string): boolean {
    return this.readings.of(wireName(name)).value.state === 'waiting';
  }

  /**
   * Writes a variable, and records it in the history.
   * @throws ClientError
   */
  async write(name: string, value: unknown): Promise<void> {
    const before = this.value(name);
    await this.scanner.writeAny(wireName(name), value);
    this.log.record({ [wireName(name)]: value });
    this.readings.update({ [wireName(name)]: value });
    this.history.written(name, before, value);
  }

  /**
   * Calls a method, and records it in the history.
   * @throws ClientError; NotDoneError if the response says that it was not done
   */
  async call(name: string, request?: unknown): Promise<unknown> {
    const response = await this.scanner.callAny(name, request);
    const refusal = this.known
      .peek()
      .method(name)
      ?.refusalIn(isObject(response) ? response : {});
    if (refusal !== undefined) throw NotDoneError.refused(name, refusal);
    this.history.called(name, request);
    return response;
  }

  /** Writes the working parameters to memory that survives a power cut. */
  async save(): Promise<void> {
    await this.call('WriteEeprom');
    await this.stored.read();
  }

  /** Sends requests until the scanner has answered once. */
  async #reach(aborted: AbortSignal): Promise<void> {
    while (!this.#responded.isSet && !aborted.aborted) {
      try {
        await probes.run(() => this.#anonymous.readAny('DeviceStatus', { timeoutMs: responseTimeout }));
        this.#responded.set();
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (isUnreachable(error)) {
          this.#setUnreachable(error.message);
          await pause(pollEvery, aborted);
        } else this.#responded.set();
      }
    }
  }

  /** Follows the scanner until `close`. */
  open(): void {
    this.#stop = new AbortController();
    void this.#follow(this.#stop.signal);
  }

  /** Opened again, it reads anew what it has shown. */
  close(): void {
    this.#stop.abort();
    this.#state.value = { kind: 'connecting' };
  }

  /** True if the scanner answers at the address where it was reached until now. */
  async #responds(): Promise<boolean> {
    try {
      await this.#anonymous.readAny('DeviceStatus', { timeoutMs: probeTimeout });
      return true;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return !isUnreachable(error);
    }
  }

  async #arrivesAt(gateway: Gateway, url: string): Promise<boolean> {
    if (!(await gateway.moveTo(url, String(this.value('SerialNumber'))))) return false;
    this.#shownUrl.value = url;
    this.close();
    this.open();
    this.readings.readAll();
    return true;
  }

  async #follow(aborted: AbortSignal): Promise<void> {
    const signs = new LivenessCheck({
      ask: () => probes.run(() => this.#anonymous.readAny('DeviceStatus', { timeoutMs: responseTimeout })),
      silent: (why) => this.#setUnreachable(why),
      back: () => this.#here({ kind: 'live' }),
    });
    aborted.addEventListener('abort', () => signs.end());
    await this.#reach(aborted);
    const opened = await openings.acquire();
    if (aborted.aborted) {
      opened();
      return;
    }
    try {
      const changes = this.#anonymous.changes({
        signal: aborted,
        onState: (state, reason) => {
          opened();
          if (state === 'lost') {
            signs.end();
            this.#setUnreachable(reason);
          } else {
            signs.begin();
            this.#here({ kind: 'live' });
          }
        },
      });
      for await (const { changed, lost } of changes) {
        signs.received();
        this.log.record(changed);
        this.readings.update(changed);
        this.stored.follow(changed);
        if (lost > 0) this.readings.readAll();
      }
      opened();
    } catch (error) {
      opened();
      signs.end();
      if (aborted.aborted) return;
      if (error instanceof NoEventsError) await this.#poll(aborted);
      else if (error instanceof ClientError) await this.#again(aborted, error);
      else throw error;
    }
  }

  async #again(aborted: AbortSignal, error: ClientError): Promise<void> {
    this.#setUnreachable(error.message);
    await pause(pollEvery, aborted);
    if (!aborted.aborted) await this.#follow(aborted);
  }

  async #poll(aborted: AbortSignal): Promise<void> {
    while (!aborted.aborted) {
      try {
        await probes.run(() => this.#anonymous.readAny('DeviceStatus'));
        this.#here({ kind: 'polling' });
        this.readings.readShown();
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (isUnreachable(error)) this.#setUnreachable(error.message);
      }
      await pause(pollEvery, aborted);
    }
  }

  #here(state: LinkState): void {
    const was = this.#state.peek().kind;
    if (was === state.kind) return;
    this.#state.value = state;
    this.readings.readAll();
    this.stored.refresh();
    this.#anonymous.description.forget();
    if (this.#isKnownWanted) void this.#describe();
    if (state.kind === 'live' && this.gateway === undefined) void this.#checkSimulation();
  }

  async #checkSimulation(): Promise<void> {
    try {
      this.#hasSimulation.value = await this.#anonymous.simulation.isAvailable();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
    }
  }

  #setUnreachable(why: string): void {
    if (this.#state.peek().kind === 'unreachable') return;
    this.#state.value = { kind: 'unreachable', since: performance.now(), why: this.#shown(why) };
  }

  /** Replaces the address of the page's own server in a text by the scanner's: a person does not know the first one. */
  #shown(words: string): string {
    const shown = this.#shownUrl.peek();
    const webSockets = (url: string) => url.replace(/^http/, 'ws');
    return words.replaceAll(this.url, shown).replaceAll(webSockets(this.url), webSockets(shown));
  }
}

/** True if there is no scanner at the address. `azimuth gui` then answers in its place, but not as a scanner does. */
function isUnreachable(error: ClientError): boolean {
  return error instanceof UnreachableError || error instanceof AnswerError;
}

/**
 * Returns a function that makes one object for each scanner, at its first call. The object stays while other pages are
 * shown.
 */
export function ofEachScanner<T, Owner extends object = ScannerLink>(
  make: (link: Owner) => T,
): (link: Owner) => T {
  const made = new WeakMap<Owner, T>();
  return (link) => {
    const known = made.get(link) ?? make(link);
    made.set(link, known);
    return known;
  };
}
