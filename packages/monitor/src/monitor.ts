import { randomUUID } from 'node:crypto';
import { counted } from '@azimuth/model';
import type { MonitorClock } from './clock.js';
import { conditionKinds } from './conditions/all-conditions.js';
import type { History } from './history/history.js';
import { ChangeAuthors } from './log/change-authors.js';
import type { LogEntry } from './log/log-entry.js';
import { type LogStore, NotStored } from './log/log-store.js';
import type { Output } from './outputs/output.js';
import { type ConditionsInLog, conditionsInLog } from './state/conditions-in-log.js';
import type { LastParameters } from './state/last-parameters.js';
import { type LastRun, lastRunOf } from './state/last-run.js';
import { type ActiveCondition, type ScannerSnapshot, unseen } from './state/scanner-snapshot.js';
import { ScannerLog } from './watch/scanner-log.js';
import { type ScannerToWatch, WatchedScanner } from './watch/watched-scanner.js';

/** Time in ms for outputs to send what waits when the monitor ends. */
const longestEnd = 5000;

/** Pause (ms) after which a watch begins again that has failed by a mistake of ours. */
const pauseAfterMistake = 60_000;

export interface MonitorOptions {
  readonly clock: MonitorClock;
  readonly store: LogStore;
  readonly outputs: readonly Output[];
  readonly scanners: readonly ScannerToWatch[];
  /** Seconds between two looks at a scanner. */
  readonly interval: number;
  /** Seconds within which the first looks at all scanners begin; the time between two looks by default. */
  readonly firstLooks?: number | undefined;
  /** Seconds in which all parameters of a scanner are read once. */
  readonly parameters: number;
  /** Where the last seen parameters are kept. */
  readonly lastParameters: LastParameters;
  /** Takes the values of each look. */
  readonly history?: Pick<History, 'take'> | undefined;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Gets what is wrong with the monitor itself: a disk that is full, a mistake of ours. */
  readonly reportError: (error: unknown) => void;
}

/** Watches scanners, and writes what happens into the log and to the outputs. */
export class Monitor {
  readonly outputs: readonly Output[];
  readonly #options: MonitorOptions;
  readonly #authors: ChangeAuthors;
  #storeFailure: string | undefined;
  #watched: ReadonlyMap<string, WatchedScanner> = new Map();
  #running: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  readonly #closing = new AbortController();

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.outputs = options.outputs;
    const urls = new Map(options.scanners.map(({ name, scanner }) => [name, scanner.url]));
    this.#authors = new ChangeAuthors({
      ...{ store: options.store, clock: options.clock },
      urlOf: (scanner) => urls.get(scanner),
    });
  }

  /** The state of each scanner, in the order in which they were named. */
  get snapshots(): readonly ScannerSnapshot[] {
    return this.#options.scanners.map(
      ({ name, scanner, serial }) =>
        this.#watched.get(name)?.snapshot ?? unseen({ name, url: scanner.url, expectedSerial: serial }),
    );
  }

  /** The time on its clock: milliseconds since 1970-01-01 UTC. */
  get now(): number {
    return this.#options.clock.now();
  }

  /** Why the last entry is not stored yet; undefined if it is. */
  get storeFailure(): string | undefined {
    return this.#storeFailure;
  }

  /**
   * Takes up what the log and the last run know, and begins to watch. Rejects if the log cannot be read.
   */
  async start(): Promise<void> {
    const { store, scanners, clock } = this.#options;
    const active = await conditionsInLog(store);
    const names = scanners.map(({ name }) => name);
    const runs = await lastRunOf(names, this.#options);
    this.#watched = new Map(
      scanners.map((of, index) => [of.name, this.#watch(of, index, runs.get(of.name), active)]),
    );
    await this.log({
      kind: 'monitor',
      at: clock.now(),
      scanner: '',
      text: `watches ${counted(scanners.length, 'scanner')}`,
    });
    await this.#endUnwatched(active);
    this.#running = Promise.all([...this.#watched.values()].map((each) => this.#run(each)));
  }

  /**
   * Stores an entry, and then tells the outputs: what somebody was told is in the log. But a full disk silences no alarm:
   * after a while, the outputs are told although the entry still waits to be stored.
   */
  async log(given: LogEntry): Promise<void> {
    const entry = { ...(await this.#authors.authored(given)), id: given.id ?? randomUUID() };
    try {
      await this.#options.store.append(entry);
      this.#storeFailure = undefined;
    } catch (error) {
      // The store has reported it, and tries again.
      if (!(error instanceof NotStored)) throw error;
      this.#storeFailure = error.message;
    }
    for (const output of this.outputs) output.accept(entry);
  }

  /** Somebody was refused by a scanner because it has locked logins. @param name of the scanner */
  loginsLocked(name: string): void {
    this.#watched.get(name)?.loginsLocked();
  }

  /** Ends the watches and the outputs. What was noticed is stored before. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closing.abort();
    for (const each of this.#watched.values()) each.close();
    await this.#running;
    await Promise.all(this.outputs.map((output) => output.close(longestEnd)));
    await this.#options.store.close();
  }

  #watch(
    of: ScannerToWatch,
    index: number,
    run: LastRun | undefined,
    active: ConditionsInLog,
  ): WatchedScanner {
    const { clock, interval, parameters, lastParameters, random, reportError, scanners } = this.#options;
    const { firstLooks = interval } = this.#options;
    const { name } = of;
    // Scanners share the interval evenly: at most one of them begins at a time.
    const share = (index + random()) / scanners.length;
    const append = (entry: LogEntry) => this.log(entry);
    const log = new ScannerLog({ name, clock, logged: run?.logged ?? [], append });
    return new WatchedScanner(of, {
      ...{ clock, interval, parameters, random, lastParameters, reportError },
      seen: run?.seen,
      kinds: conditionKinds,
      ...{ first: share * firstLooks * 1000, phase: share * interval * 1000 },
      active: (active.get(name) ?? []).filter(isKnown),
      log: (noticed, serial, at) => log.append(noticed, serial, at),
      onCompared: () => log.forgetLogged(),
      onLook: (snapshot) => this.#show(snapshot),
    });
  }

  /** Ends conditions of scanners that are no longer watched, and of kinds that there are no longer. */
  async #endUnwatched(active: ConditionsInLog): Promise<void> {
    const at = this.#options.clock.now();
    for (const [scanner, conditions] of active) {
      const isWatched = this.#watched.has(scanner);
      for (const { id, ...condition } of conditions.filter((each) => !isWatched || !isKnown(each))) {
        const text = isWatched
          ? 'the monitor has no such condition any more'
          : 'the scanner is no longer watched';
        await this.log({ kind: 'condition', change: 'ends', condition: id, ...condition, at, scanner, text });
      }
    }
  }

  /** A mistake of ours ends no watch for good. */
  async #run(watched: WatchedScanner): Promise<void> {
    const { clock, reportError } = this.#options;
    while (!this.#isClosed) {
      try {
        await watched.run();
      } catch (error) {
        reportError(error);
        await clock.pause(pauseAfterMistake, this.#closing.signal);
      }
    }
  }

  #show(snapshot: ScannerSnapshot): void {
    this.#options.history?.take(snapshot, this.now);
    for (const output of this.outputs) output.show?.(snapshot);
  }
}

function isKnown({ id }: ActiveCondition): boolean {
  return conditionKinds.some((kind) => kind.id === id);
}
