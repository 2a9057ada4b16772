import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Mutex } from '@azimuth/async';
import { ClientError, PasswordMissingError, ScannerError } from '@azimuth/client';
import type { MonitorClock } from '../clock.js';
import { readIfThere, writeAtOnce } from '../files/written-file.js';
import type { LogEntry } from '../log/log-entry.js';
import { type ArchiveTimes, timesIn, timesText, withScanners } from './archive-times.js';
import type { ArchivePlace, Fetched, ScannerToArchive } from './archived-files.js';
import { lastNight, nextNight, type TimeOfDay } from './nightly.js';

const hour = 3_600_000;

/** Most changes that an entry of the log names. */
const mostNamed = 3;

export interface ArchiveOptions {
  readonly clock: MonitorClock;
  readonly scanners: readonly ScannerToArchive[];
  readonly place: ArchivePlace;
  /** Folder of the file that remembers when each scanner was archived. */
  readonly stateFolder: string;
  readonly time: TimeOfDay;
  /** Minutes over which the scanners are spread. */
  readonly spreadMinutes: number;
  /** Accepts what happened. */
  readonly log: (entry: LogEntry) => Promise<void>;
  readonly reportError: (error: unknown) => void;
}

/** Keeps backups and site files of scanners, once each night. What was missed is made up for. */
export class Archive {
  readonly #options: ArchiveOptions;
  readonly #closing = new AbortController();
  /** One scanner after the other: so neither the network nor a disk has much to do. */
  readonly #turns = new Mutex();
  #times: ReadonlyMap<string, ArchiveTimes> = new Map();
  #running: Promise<unknown> = Promise.resolve();

  private constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /** @throws RangeError if a folder of a scanner has no safe name, or two scanners have the same one */
  static async open(options: ArchiveOptions): Promise<Archive> {
    requireFolders(options.scanners);
    const archive = new Archive(options);
    const path = archive.#timesPath;
    const now = options.clock.now();
    archive.#times = withScanners(timesIn(await readIfThere(path)), options.scanners, now);
    await writeAtOnce(path, timesText(archive.#times));
    return archive;
  }

  /** When a scanner was last archived completely, or if it never was, since when it is to be; in ms since 1970. */
  archivedAt(name: string): number {
    const { archived, since = this.#options.clock.now() } = this.#times.get(name) ?? {};
    return archived ?? since;
  }

  start(): void {
    this.#running = Promise.all(this.#options.scanners.map((scanner) => this.#run(scanner)));
  }

  /** Ends at once: what is being fetched is not stored, what is being stored is. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#turns.idle();
  }

  async #run(scanner: ScannerToArchive): Promise<void> {
    const { clock, time, reportError } = this.#options;
    const { signal } = this.#closing;
    const delay = this.#delayOf(scanner);
    let failed: { readonly at: number; readonly again: boolean } | undefined;
    while (!signal.aborted) {
      const due = dueAt(this.#times.get(scanner.name)?.archived, failed, { now: clock.now(), time, delay });
      await clock.pause(Math.max(0, due - clock.now()), signal);
      if (signal.aborted) return;
      if (clock.now() < due) continue;
      const night = lastNight(clock.now(), time, delay);
      const isFirst = failed === undefined || failed.at < night;
      try {
        const failure = await this.#turns.run(() => (signal.aborted ? undefined : this.#archive(scanner)));
        failed = failure === undefined ? undefined : { at: clock.now(), again: mayHelp(failure) };
        if (failure !== undefined && isFirst) await this.#tell(scanner, 'backup-failed', failure.message);
      } catch (error) {
        reportError(error);
        failed = { at: clock.now(), again: true };
      }
    }
  }

  /** @returns why it failed; undefined if everything is stored */
  async #archive(scanner: ScannerToArchive): Promise<Error | undefined> {
    const { clock, place } = this.#options;
    try {
      const fetched = await this.#fetched(scanner);
      if (fetched === undefined) return undefined;
      const at = clock.now();
      const { changes } =
        fetched.files.length === 0 ? { changes: [] } : await place.store(scanner, fetched.files, at);
      if (fetched.failure !== undefined) return fetched.failure;
      const since = this.#times.get(scanner.name)?.since ?? at;
      this.#times = new Map([...this.#times, [scanner.name, { since, archived: at }]]);
      await writeAtOnce(this.#timesPath, timesText(this.#times));
      await this.#tell(scanner, 'backup', textOf(fetched, changes));
      return undefined;
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }

  /** @returns undefined if the archive is closed meanwhile */
  async #fetched(scanner: ScannerToArchive): Promise<Fetched | undefined> {
    const { signal } = this.#closing;
    if (signal.aborted) return undefined;
    const stopListening = new AbortController();
    const closed = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { signal: stopListening.signal });
    });
    try {
      return await Promise.race([scanner.fetch(), closed]);
    } finally {
      stopListening.abort();
    }
  }

  #tell({ name }: ScannerToArchive, what: 'backup' | 'backup-failed', text: string): Promise<void> {
    const { clock, log } = this.#options;
    return log({ kind: 'happening', at: clock.now(), scanner: name, what, text });
  }

  /** Each scanner has its own time, the same one every night. */
  #delayOf({ name }: ScannerToArchive): number {
    const share = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
    return Math.floor(share * this.#options.spreadMinutes * 60_000);
  }

  get #timesPath(): string {
    return join(this.#options.stateFolder, 'azimuth-archive.json');
  }
}

interface Plan {
  readonly now: number;
  readonly time: TimeOfDay;
  readonly delay: number;
}

/** Returns when a scanner is archived next. A failure that may pass is tried again in an hour. */
function dueAt(
  archived: number | undefined,
  failed: { readonly at: number; readonly again: boolean } | undefined,
  { now, time, delay }: Plan,
): number {
  const next = nextNight(now, time, delay);
  if (failed !== undefined) return failed.again ? Math.min(failed.at + hour, next) : next;
  // A time in the future was written when the clock of this computer was wrong.
  if (archived === undefined || archived > now) return now;
  return archived < lastNight(now, time, delay) ? now : next;
}

/** True if another try in the same night may help. Failed logins would only lock the scanner. */
function mayHelp(failure: Error): boolean {
  if (failure instanceof PasswordMissingError) return false;
  if (failure instanceof ScannerError) return failure.statusName !== 'accessDenied';
  return failure instanceof ClientError;
}

function textOf({ files }: Fetched, changes: readonly string[]): string {
  const kinds = files.map(({ kind }) => (kind === 'backup' ? 'backup' : 'site file')).join(' and ');
  if (changes.length === 0) return `${kinds} stored, nothing has changed`;
  const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : '';
  return `${kinds} stored: ${changes.slice(0, mostNamed).join(', ')}${more}`;
}

function requireFolders(scanners: readonly ScannerToArchive[]): void {
  const owners = new Map<string, string>();
  for (const { name, folder } of scanners) {
    if (!/^[\w-][\w.-]*$/.test(folder)) throw new RangeError(`${name}: ${folder} is no name of a folder`);
    const other = owners.get(folder.toLowerCase());
    if (other !== undefined)
      throw new RangeError(`${other} and ${name} would have the same folder ${folder} in the archive`);
    owners.set(folder.toLowerCase(), name);
  }
}
