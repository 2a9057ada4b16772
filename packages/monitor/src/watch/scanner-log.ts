import type { MonitorClock } from '../clock.js';
import type { LogEntry } from '../log/log-entry.js';
import { EntryAllowance } from './entry-allowance.js';
import type { Noticed } from './noticed.js';

export interface ScannerLogOptions {
  readonly name: string;
  readonly clock: MonitorClock;
  /** Entries that were logged after what was last seen was written: they are not logged again. */
  readonly logged: Iterable<LogEntry>;
  /** Resolves when the entry is on disk. */
  readonly append: (entry: LogEntry) => Promise<void>;
}

/** What is logged about one scanner: each change once, and never more than the disk can take for years. */
export class ScannerLog {
  readonly #options: ScannerLogOptions;
  readonly #logged: Set<string>;
  readonly #allowance: EntryAllowance;

  constructor(options: ScannerLogOptions) {
    this.#options = options;
    this.#logged = new Set([...options.logged].flatMap((entry) => keyOf(entry) ?? []));
    this.#allowance = new EntryAllowance(options.clock.now());
  }

  /** Everything was compared with what was last seen: from now on, an equal change is another one. */
  forgetLogged(): void {
    this.#logged.clear();
  }

  /**
   * Resolves when the entry is on disk.
   * @param at when it was noticed: milliseconds since 1970-01-01 UTC
   */
  async append(noticed: Noticed, serial: string | undefined, at: number): Promise<void> {
    const { name, append } = this.#options;
    const key = keyOf(noticed);
    if (key !== undefined && this.#logged.delete(key)) return;
    if (noticed.kind !== 'condition' && !this.#allowance.take(at)) return;
    const refused = this.#allowance.takeRefused();
    const common = { at, scanner: name, serial };
    if (refused > 0) await append({ kind: 'monitor', text: `${refused} changes were not logged`, ...common });
    await append({ ...noticed, ...common });
  }
}

/** Two entries with the same key tell of the same change. Conditions have no key: they are rebuilt from the log. */
function keyOf(entry: Noticed | LogEntry): string | undefined {
  switch (entry.kind) {
    case 'parameter':
      return JSON.stringify([entry.kind, entry.parameter, entry.before, entry.after]);
    case 'value':
      return JSON.stringify([entry.kind, entry.name, entry.before, entry.after]);
    case 'happening':
      return JSON.stringify([entry.kind, entry.what, entry.text]);
    default:
      return undefined;
  }
}
