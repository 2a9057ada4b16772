import { Mutex, pause } from '@azimuth/async';
import type { Site, SiteScanner } from '@azimuth/http';
import {
  defaultLimits,
  History,
  MemoryLastParameters,
  MemoryLog,
  Monitor,
  type ScannerSnapshot,
  siteOfMonitor,
  systemClock,
} from '@azimuth/monitor';
import { scannerAt } from '../scanners/connection.js';
import { type GuiSite, pathOf, type ShownScanner } from './gui-site.js';

/** Seconds between two looks at a scanner, at least. */
const shortestInterval = 10;

/** Looks that begin in a second at most, at rest: many scanners are looked at less often. */
const looksPerSecond = 10;

/** Seconds between the first looks at two scanners. */
const betweenFirstLooks = 0.02;

/** Entries of the log that are kept. */
const mostEntries = 20_000;

/** Time in ms for which the first list waits for the first looks: a scanner that is near answers within it. */
const firstPatience = 500;

/** Watches the scanners of `azimuth gui` in this process, and keeps what it sees in memory. */
export class WatchedSite implements GuiSite {
  readonly #scanners: ShownScanner[];
  /** Seconds between two looks at a scanner. */
  readonly #interval: number;
  readonly #store = new MemoryLog(mostEntries);
  readonly #lastParameters = new MemoryLastParameters();
  readonly #history: History;
  readonly #turns = new Mutex();
  readonly #site: Site;
  #monitor: Monitor | undefined;
  #isClosed = false;

  constructor(scanners: readonly ShownScanner[]) {
    this.#scanners = [...scanners];
    this.#interval = Math.max(shortestInterval, scanners.length / looksPerSecond);
    this.#history = new History(this.#interval);
    this.#site = siteOfMonitor({
      ...{ clock: systemClock, store: this.#store, history: this.#history },
      snapshots: () => this.#snapshots(),
      placeOf: (_, index) => ({ path: pathOf(index), group: this.#scanners[index]?.group ?? '' }),
    });
  }

  get history() {
    return this.#site.history;
  }

  get log() {
    return this.#site.log;
  }

  /** The first call begins to watch. */
  rows(): Promise<readonly SiteScanner[]> {
    return this.#site.rows();
  }

  moved(index: number, url: string): Promise<void> {
    return this.#turns.run(async () => {
      const moved = this.#scanners[index];
      if (moved === undefined) return;
      this.#scanners[index] = { ...moved, url };
      if (this.#monitor === undefined) return;
      await this.#monitor.close();
      this.#monitor = undefined;
      await this.#watching();
    });
  }

  close(): Promise<void> {
    return this.#turns.run(async () => {
      this.#isClosed = true;
      await this.#monitor?.close();
    });
  }

  async #snapshots(): Promise<readonly ScannerSnapshot[]> {
    const isFirst = this.#monitor === undefined;
    const monitor = await this.#turns.run(() => this.#watching());
    if (isFirst) await firstLooks(monitor);
    return monitor.snapshots;
  }

  async #watching(): Promise<Monitor> {
    if (this.#monitor !== undefined) return this.#monitor;
    const monitor = new Monitor({
      ...{ clock: systemClock, store: this.#store, outputs: [], lastParameters: this.#lastParameters },
      scanners: this.#scanners.map(({ name, url }) => ({
        ...{ name, limits: defaultLimits },
        scanner: scannerAt({ url }),
      })),
      ...{ interval: this.#interval, parameters: 30 * this.#interval, history: this.#history },
      firstLooks: this.#scanners.length * betweenFirstLooks,
      random: Math.random,
      reportError: (error) => process.emitWarning(String(error)),
    });
    this.#monitor = monitor;
    if (!this.#isClosed) await monitor.start();
    return monitor;
  }
}

/** Waits a moment until each scanner was looked at once. */
async function firstLooks(monitor: Monitor): Promise<void> {
  const end = performance.now() + firstPatience;
  while (performance.now() < end && monitor.snapshots.some(({ reachable }) => reachable === undefined))
    await pause(25);
}
