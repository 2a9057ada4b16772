import type { MonitorClock } from '../clock.js';
import type { Author, CommandEntry, LogEntry, ParameterEntry } from './log-entry.js';
import type { LogStore } from './log-store.js';

/** Methods that may change any parameter. */
const changeAny = [
  'LoadFactoryDefaults',
  'LoadApplicationDefaults',
  'RestoreParameterBackup',
  'RunFirmwareUpdate',
  'SoftReset',
];

/** Clocks of two computers may differ by this, in ms. */
const slack = 5000;
/** A command writes its entry up to this many ms after the change. */
const longestDelay = 1000;
/** An entry this many ms after the last one is about a change that was noticed with it. */
const sameMoment = 100;
/** The time between two looks, in ms, for a change whose last unchanged time is not known. */
const usualInterval = 600_000;

export interface ChangeAuthorsOptions {
  readonly store: Pick<LogStore, 'read'>;
  readonly clock: MonitorClock;
  /** The URL of a scanner, by its name in the log. */
  readonly urlOf: (scanner: string) => string | undefined;
}

/** Finds who changed a parameter: a command that wrote to this scanner between the two looks. */
export class ChangeAuthors {
  readonly #options: ChangeAuthorsOptions;
  /** The time until which it has waited for entries of commands, by scanner. */
  readonly #waitedUntil = new Map<string, number>();

  constructor(options: ChangeAuthorsOptions) {
    this.#options = options;
  }

  /** Returns the entry with its author, if a command wrote the parameter. A log that cannot be read has none. */
  async authored(entry: LogEntry): Promise<LogEntry> {
    if (entry.kind !== 'parameter' || entry.author !== undefined) return entry;
    try {
      const author = await this.#authorOf(entry);
      return author === undefined ? entry : { ...entry, author };
    } catch {
      return entry;
    }
  }

  async #authorOf(entry: ParameterEntry): Promise<Author | undefined> {
    const { clock } = this.#options;
    // The clock may be set back meanwhile: the log must not wait for it.
    const left = Math.min(longestDelay, entry.at + longestDelay - clock.now());
    const author = await this.#find(entry);
    // Changes that are noticed together are logged one after the other: one wait is enough for all of them.
    const sinceWait = entry.at - (this.#waitedUntil.get(entry.scanner) ?? 0);
    const hasWaited = sinceWait < sameMoment && sinceWait > -longestDelay - sameMoment;
    if (author !== undefined || hasWaited || left <= 0) return author;
    // The command may not have written its entry yet.
    await clock.pause(left);
    this.#waitedUntil.set(entry.scanner, clock.now());
    return this.#find(entry);
  }

  async #find(entry: ParameterEntry): Promise<Author | undefined> {
    const since = (entry.unchangedAt ?? entry.at - usualInterval) - slack;
    const until = entry.at + slack;
    let exact: CommandEntry | undefined;
    let any: CommandEntry | undefined;
    for await (const each of this.#options.store.read({ since, until, kinds: ['command'] })) {
      if (each.kind !== 'command' || each.outcome !== 'done' || !this.#isOf(each, entry)) continue;
      // The last one counts: it has set the present value.
      if (each.wrote.some((name) => isPartOf(entry.parameter, name))) exact = each;
      if (each.wrote.some((name) => changeAny.includes(name))) any = each;
    }
    return (exact ?? any)?.author;
  }

  #isOf(command: CommandEntry, { scanner, serial }: ParameterEntry): boolean {
    const url = this.#options.urlOf(scanner);
    return (
      command.scanner === scanner ||
      (url !== undefined && command.url === url) ||
      (serial !== undefined && command.serial === serial)
    );
  }
}

/** True if a path is a variable, or a part of it: `ScanDataEthSettings.Port`. */
function isPartOf(path: string, variable: string): boolean {
  return path.startsWith(variable) && ['', '.', '['].includes(path.charAt(variable.length));
}
