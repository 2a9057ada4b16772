import { stat } from 'node:fs/promises';
import type { Posted } from '@azimuth/client';
import { builtInInterface, isObject, type MethodName } from '@azimuth/model';
import type { CommandEntry } from '@azimuth/monitor';
import type { Command } from 'commander';
import { remark } from '../output/output.js';
import { authorName } from './author-name.js';
import { type LogPlace, placeOfEnvironment, usualLogFolder } from './log-place.js';

/** The scanner of a call. */
interface Called {
  readonly url: string;
  /** Its name in the output; the URL if it has none. */
  readonly label?: string | undefined;
  readonly serial?: string | undefined;
}

/** A write or a call of this command. */
interface Written extends Called {
  readonly at: number;
  readonly endpoint: string;
  readonly outcome: CommandEntry['outcome'];
}

/** Methods that change nothing: they are not recorded. */
export const readingMethods: readonly MethodName[] = [
  'getChallenge',
  'checkCredentials',
  'CreateSessionToken',
  'FindMe',
  'GetWebserverEnabled',
  'GetFieldEvaluationContour',
  'DoDiagnosisDump',
  'GetDiagnosisDumpInfo',
  'CreateParameterBackup',
];

/** Longest ms between a write and its entry: a monitor that sees the change soon after finds who made it. */
const longestDelay = 250;

/**
 * Records in the log of the monitor what this command writes to scanners: names of variables and methods, never values. The
 * log is the folder or the database of the environment, otherwise the folder of this user, if it is there.
 */
class CommandRecord {
  #command = '';
  #waiting: Written[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  /** Takes the name of the command from the program when its action begins. */
  follow(program: Command): void {
    program.hook('preAction', (_, action) => {
      const names: string[] = [];
      for (let at: Command | null = action; at !== null && at !== program; at = at.parent)
        names.unshift(at.name());
      this.#command = names.join(' ');
    });
  }

  /** Returns a function that records what a scanner was sent. */
  of(scanner: Called): (posted: Posted) => void {
    return ({ endpoint, answer, error }) => {
      const isReading = readingMethods.some((name) => name === endpoint);
      // The client repeats a request whose challenge another client has used up.
      const isRepeated = isObject(error) && error.statusName === 'invalidChallenge';
      if (isReading || isRepeated) return;
      const outcome = error !== undefined || isRefusal(endpoint, answer) ? 'failed' : 'done';
      this.#waiting.push({ ...scanner, at: Date.now(), endpoint, outcome });
      this.#timer ??= setTimeout(() => this.#store(), longestDelay).unref();
    };
  }

  /** Waits until all is in the log. Never rejects: what cannot be recorded is reported once. */
  async flush(): Promise<void> {
    this.#store();
    await this.#storing;
    this.#hasFailed = false;
  }

  #store(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = this.#waiting;
    this.#waiting = [];
    if (written.length === 0) return;
    const entries = entriesOf(written, { by: authorName(), command: this.#command });
    this.#storing = this.#storing.then(() => this.#append(entries));
  }

  async #append(entries: readonly CommandEntry[]): Promise<void> {
    // A database that is away would hold up the command each time.
    if (this.#hasFailed) return;
    try {
      const place = placeOfEnvironment() ?? (await usualPlace());
      if (place === undefined) return;
      // Few commands write, and most users have no monitor.
      const { appendToLog } = await import('./append-to-log.js');
      await appendToLog(place, entries);
    } catch (error) {
      this.#hasFailed = true;
      const reason = error instanceof Error ? error.message : String(error);
      remark(`the log of the monitor does not have what this command wrote: ${reason}`);
    }
  }
}

/** The record of this process. */
export const commandRecord = new CommandRecord();

/** The folder of this user; undefined if no monitor has made it. */
async function usualPlace(): Promise<LogPlace | undefined> {
  const folder = usualLogFolder();
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() === true ? { folder } : undefined;
}

function isRefusal(endpoint: string, answer: unknown): boolean {
  const method = builtInInterface.method(endpoint);
  if (method === undefined || !isObject(answer)) return false;
  // Some devices leave members out: that is no refusal.
  return method.refusalIn({ ...method.facts.done, ...answer }) !== undefined;
}

/** One entry for each scanner and outcome, with each name once. */
function entriesOf(written: readonly Written[], author: CommandEntry['author']): readonly CommandEntry[] {
  const together = new Map<string, Written[]>();
  for (const each of written) {
    const key = `${each.outcome} ${each.url}`;
    together.set(key, [...(together.get(key) ?? []), each]);
  }
  return [...together.values()].flatMap((group) => {
    const last = group.at(-1);
    if (last === undefined) return [];
    const { at, url, label, serial, outcome } = last;
    const wrote = [...new Set(group.map(({ endpoint }) => endpoint))];
    return [{ kind: 'command', at, scanner: label ?? url, serial, url, author, wrote, outcome }];
  });
}
