import { Scanner } from '@azimuth/client';
import type { VirtualClock } from '@azimuth/device';
import {
  defaultLimits,
  type LogCounts,
  type LogEntry,
  type LogQuery,
  type LogStore,
  MemoryLastParameters,
  MemoryLog,
  Monitor,
  type ScannerToWatch,
} from '@azimuth/monitor';
import { RunClock } from './site-clock.js';
import type { SiteScanner } from './site-scanner.js';

/** Ms after which a scanner that hangs counts as silent: in real time, because sockets have no other. */
const patience = 3000;
const patienceWithSilent = 20;

interface Run {
  readonly monitor: Monitor;
  readonly clock: RunClock;
  readonly clients: readonly Scanner[];
}

export interface WatchedSiteOptions {
  readonly scanners: readonly SiteScanner[];
  readonly clock: VirtualClock;
  /** Seconds. */
  readonly interval: number;
  readonly random: () => number;
}

/** A monitor of a site, which may be killed at any time, and is started again on what it has left. */
export class WatchedSite {
  readonly log = new MemoryLog();
  readonly errors: unknown[] = [];
  readonly #options: WatchedSiteOptions;
  readonly #kept = new MemoryLastParameters();
  #run: Run | undefined;

  constructor(options: WatchedSiteOptions) {
    this.#options = options;
  }

  /** True if no watch works, and no scanner boots. */
  get isQuiet(): boolean {
    const { scanners } = this.#options;
    if (scanners.some(({ isBooting }) => isBooting)) return false;
    return this.#run === undefined || this.#run.clock.asleep >= scanners.length;
  }

  async start(): Promise<void> {
    const { scanners, interval, random } = this.#options;
    const clock = new RunClock(this.#options.clock);
    const clients = scanners.map(({ url }) => new Scanner({ url }));
    const monitor = new Monitor({
      ...{ clock, interval, random, outputs: [], parameters: 6 * interval },
      store: new LogUntilKilled(clock, this.log),
      lastParameters: {
        read: (name) => this.#kept.read(name),
        write: (name, seen) => (clock.isKilled ? never() : this.#kept.write(name, seen)),
      },
      scanners: scanners.map((scanner, index) => ({
        name: scanner.place.name,
        scanner: watchedClient(clients[index], scanner),
        limits: { ...defaultLimits, releases: ['1.5.0', '2.3.3', '2.4.4'], unsavedSeconds: 1800 },
      })),
      reportError: (error) => this.errors.push(error),
    });
    await monitor.start();
    this.#run = { monitor, clock, clients };
  }

  loginsLocked(scanner: string): void {
    this.#run?.monitor.loginsLocked(scanner);
  }

  /** Ends the monitor in the middle of what it does: nothing more of it reaches its log. */
  kill(): void {
    this.#run?.clock.kill();
    for (const client of this.#run?.clients ?? []) client.close();
    this.#run = undefined;
  }
}

/** The log of one run: what comes after the kill is never written. */
class LogUntilKilled implements LogStore {
  readonly #clock: RunClock;
  readonly #log: MemoryLog;

  constructor(clock: RunClock, log: MemoryLog) {
    this.#clock = clock;
    this.#log = log;
  }

  get counts(): LogCounts {
    return this.#log.counts;
  }

  append(entry: LogEntry): Promise<void> {
    return this.#clock.isKilled ? never() : this.#log.append(entry);
  }

  read(query: LogQuery): AsyncIterable<LogEntry> {
    return this.#log.read(query);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** A client with less patience: what hangs for seconds in real time would hang for hours on the clock of the site. */
function watchedClient(client: Scanner | undefined, of: SiteScanner): ScannerToWatch['scanner'] {
  if (client === undefined) throw new Error('a scanner without a client');
  return {
    url: client.url,
    readAny: (name) => client.readAny(name, { timeoutMs: of.isSilent ? patienceWithSilent : patience }),
    eventsAny: (names, options) => client.eventsAny(names, options),
  };
}
