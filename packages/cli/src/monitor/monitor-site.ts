import { stat } from 'node:fs/promises';
import type { ParameterValues } from '@azimuth/client';
import type { MonitorClock } from '@azimuth/monitor';
import { CommandFailure } from '../command-failure.js';
import { remark } from '../output/output.js';
import { asDescribed } from '../scanners/described.js';
import type { Target } from '../scanners/target.js';
import { SiteFile, type SiteScanner, siteTextAt } from '../site/site-file.js';
import { FileMistakes } from '../yaml/yaml-file.js';

/** Time (ms) between two looks at the file. */
const lookEvery = 10_000;

/** The site file of a monitor, as it is now: it is read again when it has changed. */
export class MonitorSite {
  readonly #path: string;
  readonly #targets: readonly Target[];
  #site: SiteFile;
  #changedAt: number;

  private constructor(path: string, targets: readonly Target[], site: SiteFile, changedAt: number) {
    this.#path = path;
    this.#targets = targets;
    this.#site = site;
    this.#changedAt = changedAt;
  }

  /** @throws CommandFailure if the file cannot be read, FileMistakes with all mistakes in it */
  static async read(path: string, targets: readonly Target[]): Promise<MonitorSite> {
    const changedAt = await changeTime(path);
    return new MonitorSite(path, targets, await siteAt(path, targets), changedAt);
  }

  /** The serial number that the file has for a scanner. */
  serialOf(target: Target): string | undefined {
    return this.#scanner(target)?.serial;
  }

  /** Returns the values that the file has for a scanner, by their names in requests; undefined if it has none. */
  expectedOf(target: Target): ParameterValues | undefined {
    const values = this.#scanner(target)?.values;
    if (values === undefined) return undefined;
    return new Map(
      this.#site.names.parameters.flatMap(({ name, variable }) => {
        const value = values.get(variable.name);
        return value === undefined ? [] : [[name, variable.migrated(value)] as const];
      }),
    );
  }

  /** Follows the file until the signal aborts. A file with mistakes is remarked, and the one before counts. */
  async follow(clock: MonitorClock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.pause(lookEvery, signal);
      const changedAt = await changeTime(this.#path);
      if (signal.aborted || changedAt === this.#changedAt) continue;
      this.#changedAt = changedAt;
      try {
        this.#site = await siteAt(this.#path, this.#targets);
      } catch (error) {
        if (!(error instanceof CommandFailure || error instanceof FileMistakes)) throw error;
        remark(`${error.message}. What the site file said before still counts`);
      }
    }
  }

  #scanner({ label, url }: Target): SiteScanner | undefined {
    return this.#site.scannerNamed(label, url);
  }
}

async function siteAt(path: string, targets: readonly Target[]): Promise<SiteFile> {
  const text = await siteTextAt(path);
  return asDescribed(targets, (known) => new SiteFile(path, text, known));
}

/** Returns 0 for a file that is not there: it may be replaced just now. */
function changeTime(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
