import { pause } from '@azimuth/async';
import {
  AnswerError,
  ClientError,
  NoEventsError,
  NotDoneError,
  Scanner,
  UnreachableError,
} from '@azimuth/client';
import {
  allMethods,
  basicSettings,
  device,
  type Edition,
  extensionPrefix,
  extensionVariables,
  fieldEvaluation,
  isObject,
} from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { Once, Turns } from '../parts/waiting.js';
import { Login } from '../session/login.js';
import { Absences, AddressMove } from './absence.js';
import { editionOf, levelFor } from './declarations.js';
import type { Gateway } from './gateway.js';
import { ChangeHistory, EventLog } from './history.js';
import { Readings } from './readings.js';
import { answerWithin, SignsOfLife } from './signs-of-life.js';
import { StoredParameters } from './stored-parameters.js';

/** Variants differ in whether they have these. */
const telling = [
  fieldEvaluation.members.FieldEvaluationResult,
  basicSettings.members.PerformanceProfileNumber,
];

/** Whether the scanner answers, and how its news come here. */
export type LinkState =
  | { readonly kind: 'connecting' }
  /** Changes are announced as they happen. */
  | { readonly kind: 'live' }
  /** The scanner announces nothing here: what is on the screen is read every few seconds. */
  | { readonly kind: 'polling' }
  /** @property since ms, by performance.now() */
  | { readonly kind: 'gone'; readonly since: number; readonly why: string };

/** ms for an answer, where it is looked whether the scanner answers at all. */
const lookFor = 2000;
/** ms between two reads of what is on the screen, for scanners without announcements. */
const pollEvery = 3000;

/** Reads of all scanners of the page at the same time: fewer than browsers have connections, so that what a person does goes out at once. */
const reads = new Turns(5);
/** Scanners whose announcements are being connected to at the same time. Browsers connect one WebSocket to a host at a time. */
const openings = new Turns(4);
/** Scanners that are asked at the same time whether they are there. Those that are not take long, and others must not wait. */
const probes = new Turns(3);

/** The name of a scanner that nobody has named. */
const unnamed = device.members.LocationName.type.initial;
const methods = new Map(allMethods.map((method) => [method.name, method]));
const extensionNames = new Set(extensionVariables.map(({ name }) => name));

export function wireName(name: string): string {
  return extensionNames.has(name) ? extensionPrefix + name : name;
}

interface LinkOptions {
  readonly shownUrl?: string;
  readonly gateway?: Gateway;
  /** Is `begin` called before anything is asked? */
  readonly isFirstTold?: boolean;
}

/** How a scanner is before it was asked from here. */
interface FirstState {
  readonly values?: Readonly<Record<string, unknown>>;
  /** Why it cannot be reached. */
  readonly gone?: string;
}

/** One scanner as the pages see it: its values, its state, and what is done to it. */
export class ScannerLink {
  readonly url: string;
  readonly #shownUrl: Signal<string>;
  /** What brings scan data here; undefined if the scanner itself serves this page. */
  readonly gateway: Gateway | undefined;
  readonly readings: Readings;
  readonly stored: StoredParameters;
  readonly login: Login;
  readonly history = new ChangeHistory(() => ({
    url: this.#shownUrl.peek(),
    level: this.login.scanner.peek()?.user,
  }));
  /** What changed since this page was opened. */
  readonly log = new EventLog();
  readonly #state: Signal<LinkState> = signal({ kind: 'connecting' });
  readonly state: ReadonlySignal<LinkState> = this.#state;
  /** The reboots that were asked for here. */
  readonly absences = new Absences(() => this.#state.value.kind === 'gone');
  /** The change of its address that was asked for here. */
  readonly addressMove = new AddressMove({
    answersHere: () => this.#answers(),
    arrivesAt: (url) => this.#arrivesAt(url),
    pause,
    now: () => performance.now(),
  });
  readonly #hasSimulation: Signal<boolean> = signal(false);
  /** Can its simulation be controlled from here? Only by pages that a virtual scanner serves itself. */
  readonly hasSimulation: ReadonlySignal<boolean> = this.#hasSimulation;
  readonly #anonymous: Scanner;
  #stop = new AbortController();
  /** It is known how the scanner is, or that nobody knows. */
  readonly #told = new Once();
  /** The scanner has answered. Before, it is asked for nothing else. */
  readonly #answered = new Once();

  /** @param url as this page reaches it */
  constructor(url: string, { shownUrl = url, gateway, isFirstTold = false }: LinkOptions = {}) {
    this.url = url;
    this.#shownUrl = signal(shownUrl);
    this.gateway = gateway;
    if (!isFirstTold) {
      // The only scanner of its page: whether it is there shows with what it is asked.
      this.#told.happen();
      this.#answered.happen();
    }
    this.#anonymous = new Scanner({ url });
    this.login = new Login(url, levelFor);
    this.readings = new Readings(async (name) => {
      await this.#answered.happening;
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

  /** The client, logged in if somebody is. */
  get scanner(): Scanner {
    return this.login.scanner.value ?? this.#anonymous;
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
    );
  });

  /** The name that somebody gave it; otherwise, its device name and serial number, or its address if it has never answered. */
  readonly title: ReadonlySignal<string> = computed(() => {
    const location = this.readings.valueOf('LocationName');
    if (typeof location === 'string' && location !== '' && location !== unnamed) return location;
    const ident = this.readings.valueOf('DeviceIdent');
    const serial = this.readings.valueOf('SerialNumber');
    return isObject(ident) ? `${String(ident.Name)} ${String(serial ?? '')}`.trim() : this.shownAddress;
  });

  /** The value of a variable now; undefined until it is known. Reads it if it was not read. */
  value(name: string): unknown {
    return this.readings.valueOf(wireName(name));
  }

  isAwaited(name: string): boolean {
    return this.readings.of(wireName(name)).value.state === 'waiting';
  }

  /**
   * Writes a variable, and notes it in the history.
   * @throws ClientError
   */
  async write(name: string, value: unknown): Promise<void> {
    const before = this.value(name);
    await this.scanner.writeAny(wireName(name), value);
    this.log.note({ [wireName(name)]: value });
    this.readings.take({ [wireName(name)]: value });
    this.history.written(name, before, value);
  }

  /**
   * Calls a method, and notes it in the history.
   * @throws ClientError; NotDoneError if the response says that it was not done
   */
  async call(name: string, request?: unknown): Promise<unknown> {
    const response = await this.scanner.callAny(name, request);
    const refusal = methods.get(name)?.refusalIn(isObject(response) ? response : {});
    if (refusal !== undefined) throw NotDoneError.refused(name, refusal);
    this.history.called(name, request);
    return response;
  }

  /** Writes the working parameters to memory that survives a power cut. */
  async save(): Promise<void> {
    await this.call('WriteEeprom');
    await this.stored.read();
  }

  /** Tells how the scanner is. Only the first call counts. */
  begin({ values, gone }: FirstState): void {
    if (values !== undefined) {
      this.readings.begin(values);
      this.#answered.happen();
    } else if (gone !== undefined && !this.#answered.has) this.#gone(gone);
    this.#told.happen();
  }

  /** Asks until the scanner has answered once. */
  async #reach(aborted: AbortSignal): Promise<void> {
    await this.#told.happening;
    while (!this.#answered.has && !aborted.aborted) {
      try {
        await probes.run(() => this.#anonymous.readAny('DeviceStatus', { timeoutMs: answerWithin }));
        this.#answered.happen();
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (doesNotAnswer(error)) {
          this.#gone(error.message);
          await pause(pollEvery, aborted);
        } else this.#answered.happen();
      }
    }
  }

  /** Follows the scanner until `close`. */
  open(): void {
    this.#stop = new AbortController();
    void this.#follow(this.#stop.signal);
  }

  close(): void {
    this.#stop.abort();
  }

  /** Does it answer where it was reached until now? */
  async #answers(): Promise<boolean> {
    try {
      await this.#anonymous.readAny('DeviceStatus', { timeoutMs: lookFor });
      return true;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return !doesNotAnswer(error);
    }
  }

  /** Only `azimuth gui` can reach a scanner at another address for these pages. */
  async #arrivesAt(url: string): Promise<boolean> {
    const arrived = (await this.gateway?.moveTo(url, String(this.value('SerialNumber')))) === true;
    if (!arrived) return false;
    this.#shownUrl.value = url;
    this.close();
    this.open();
    this.readings.readAll();
    return true;
  }

  async #follow(aborted: AbortSignal): Promise<void> {
    const signs = new SignsOfLife({
      ask: () => probes.run(() => this.#anonymous.readAny('DeviceStatus', { timeoutMs: answerWithin })),
      silent: (why) => this.#gone(why),
      back: () => this.#here({ kind: 'live' }),
    });
    aborted.addEventListener('abort', () => signs.end());
    await this.#reach(aborted);
    const opened = await openings.begin();
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
            this.#gone(reason);
          } else {
            signs.begin();
            this.#here({ kind: 'live' });
          }
        },
      });
      for await (const { changed, lost } of changes) {
        signs.seen();
        this.log.note(changed);
        this.readings.take(changed);
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
    this.#gone(error.message);
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
        if (doesNotAnswer(error)) this.#gone(error.message);
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
    if (state.kind === 'live' && this.gateway === undefined) void this.#lookForSimulation();
  }

  async #lookForSimulation(): Promise<void> {
    try {
      this.#hasSimulation.value = await this.#anonymous.simulation.isAvailable();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
    }
  }

  #gone(why: string): void {
    if (this.#state.peek().kind === 'gone') return;
    this.#state.value = { kind: 'gone', since: performance.now(), why: this.#shown(why) };
  }

  /** What is said about the way from this page, as said about the scanner: nobody knows where its pages come from. */
  #shown(words: string): string {
    const shown = this.#shownUrl.peek();
    const webSockets = (url: string) => url.replace(/^http/, 'ws');
    return words.replaceAll(this.url, shown).replaceAll(webSockets(this.url), webSockets(shown));
  }
}

/** Is there no scanner at the address? `azimuth gui` answers for it then, but not as a scanner does. */
function doesNotAnswer(error: ClientError): boolean {
  return error instanceof UnreachableError || error instanceof AnswerError;
}

/** What belongs to a scanner, and is made when it is first asked for. It stays while other pages are shown. */
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
