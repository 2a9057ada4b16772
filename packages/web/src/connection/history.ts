import { csvText } from '@azimuth/client';
import type { LoginLevel } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { hasWords } from '../parts/texts.js';

/** Address and login of an act. */
interface Context {
  /** Of the scanner, for people and commands. */
  readonly url: string;
  /** The level of the login; undefined without a login. */
  readonly level: LoginLevel | undefined;
}

interface Done extends Context {
  readonly at: Date;
  /** Of the variable or the method. */
  readonly name: string;
}

/** An act of this visit on the scanner. */
export type Change =
  | (Done & { readonly kind: 'write'; readonly before: unknown; readonly after: unknown })
  | (Done & { readonly kind: 'call'; readonly request: unknown });

const longestHistory = 500;

/**
 * Methods whose request has secrets, or belongs to a file: it is not stored, as it must not stand on a page. Each has
 * the way to repeat it.
 */
export const withoutRequest: Readonly<Record<string, string>> = {
  setCertificateBundle: 'azimuth certificate set CERTIFICATES KEY',
  changePassword: 'azimuth password LEVEL',
  SetPassword: 'the page Users, which sets passwords of the interfaces A and B',
  CreateParameterBackup: 'azimuth backup FILE',
  RestoreParameterBackup: 'azimuth restore FILE',
  RunFirmwareUpdate: 'azimuth update FILE',
};

/** The changes of this visit, the newest last. They are forgotten when the page is closed. */
export class ChangeHistory {
  readonly #changes: Signal<readonly Change[]> = signal([]);
  readonly changes: ReadonlySignal<readonly Change[]> = this.#changes;
  readonly #now: () => Context;

  constructor(now: () => Context) {
    this.#now = now;
  }

  written(name: string, before: unknown, after: unknown): void {
    this.#add({ ...this.#now(), kind: 'write', at: new Date(), name, before, after });
  }

  called(name: string, request: unknown): void {
    const storedRequest = name in withoutRequest ? undefined : request;
    this.#add({ ...this.#now(), kind: 'call', at: new Date(), name, request: storedRequest });
  }

  #add(change: Change): void {
    this.#changes.value = [...this.#changes.peek(), change].slice(-longestHistory);
  }
}

export interface LoggedChange {
  /** Counts the changes of this visit. */
  readonly number: number;
  /** ms since 1970 UTC, by the clock of this computer. */
  readonly at: number;
  /** As on the wire, with `x/` for extensions. */
  readonly name: string;
  /** The value as JSON text. */
  readonly json: string;
}

/** Limits of the log: changes, and characters of all their values together. */
export const mostChanges = 5000;
export const mostCharacters = 4_000_000;

/** Every change of a scanner that this page has received. If there are too many, the oldest are forgotten. */
export class EventLog {
  readonly #changes: Signal<readonly LoggedChange[]> = signal([]);
  /** The oldest first. */
  readonly changes: ReadonlySignal<readonly LoggedChange[]> = this.#changes;
  readonly #latest = new Map<string, string>();
  readonly #first = new Map<string, string>();
  /** Value of each variable before the first change that is still here, as JSON text, by its name on the wire. */
  readonly first: ReadonlyMap<string, string> = this.#first;
  readonly #now: () => number;
  #characters = 0;
  #count = 0;

  /** @param now ms since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Number of all changes, forgotten ones included. */
  get count(): number {
    return this.#count;
  }

  /** Records values that became known. A value that is the same as before is not a change. */
  record(values: Readonly<Record<string, unknown>>): void {
    const added: LoggedChange[] = [];
    for (const [name, value] of Object.entries(values)) {
      const json = JSON.stringify(value) ?? 'null';
      if (this.#latest.get(name) === json) continue;
      this.#latest.set(name, json);
      this.#characters += json.length;
      this.#count++;
      added.push({ number: this.#count, at: this.#now(), name, json });
    }
    if (added.length > 0) this.#changes.value = this.#bounded([...this.#changes.peek(), ...added]);
  }

  /** Records a value that was read. The first one of a variable is not a change. */
  read(name: string, value: unknown): void {
    if (this.#latest.has(name)) {
      this.record({ [name]: value });
      return;
    }
    const json = JSON.stringify(value) ?? 'null';
    this.#latest.set(name, json);
    this.#first.set(name, json);
  }

  clear(): void {
    for (const [name, json] of this.#latest) this.#first.set(name, json);
    this.#changes.value = [];
    this.#characters = 0;
  }

  #bounded(changes: readonly LoggedChange[]): readonly LoggedChange[] {
    let first = Math.max(0, changes.length - mostChanges);
    let characters = this.#characters;
    for (const { json } of changes.slice(0, first)) characters -= json.length;
    while (characters > mostCharacters && first < changes.length - 1) {
      characters -= changes[first]?.json.length ?? 0;
      first++;
    }
    this.#characters = characters;
    for (const { name, json } of changes.slice(0, first)) this.#first.set(name, json);
    return first === 0 ? changes : changes.slice(first);
  }
}

/** Changes whose name or value contains all words. Names of values in words count, too. */
export function matching(
  changes: readonly LoggedChange[],
  typed: string,
  valueText: (change: LoggedChange) => string,
): readonly LoggedChange[] {
  if (typed.trim() === '') return changes;
  return changes.filter((change) => hasWords(`${change.name} ${valueText(change)} ${change.json}`, typed));
}

/** A table with a line for each change: time (ISO 8601, UTC), name, value as JSON. */
export function csvOfChanges(changes: readonly LoggedChange[]): string {
  return csvText(
    ['time', 'name', 'value'],
    changes.map(({ at, name, json }) => [timeOf(at), name, json]),
  );
}

/** A JSON array with an object for each change: time (ISO 8601, UTC), name, value. */
export function jsonOf(changes: readonly LoggedChange[]): string {
  const lines = changes.map(
    ({ at, name, json }) =>
      `{"time":${JSON.stringify(timeOf(at))},"name":${JSON.stringify(name)},"value":${json}}`,
  );
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
