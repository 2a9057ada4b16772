import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** One change of one variable. */
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

/** Changes kept, and characters of all their values together. */
export const mostChanges = 5000;
export const mostCharacters = 4_000_000;

/** Every change of a scanner that this page has heard of. If there are too many, the oldest are forgotten. */
export class EventLog {
  readonly #changes: Signal<readonly LoggedChange[]> = signal([]);
  readonly #latest = new Map<string, string>();
  readonly #now: () => number;
  #characters = 0;
  #count = 0;

  /** @param now ms since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The oldest first. */
  get changes(): ReadonlySignal<readonly LoggedChange[]> {
    return this.#changes;
  }

  /** How many changes there were in all, forgotten ones included. */
  get count(): number {
    return this.#count;
  }

  /** Notes values that became known. A value that is the same as before is no change. */
  note(values: Readonly<Record<string, unknown>>): void {
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

  /** Takes a value that was read. The first one of a variable is no change. */
  read(name: string, value: unknown): void {
    if (this.#latest.has(name)) this.note({ [name]: value });
    else this.#latest.set(name, JSON.stringify(value) ?? 'null');
  }

  clear(): void {
    this.#changes.value = [];
    this.#characters = 0;
  }

  #bounded(changes: readonly LoggedChange[]): readonly LoggedChange[] {
    let first = Math.max(0, changes.length - mostChanges);
    for (const { json } of changes.slice(0, first)) this.#characters -= json.length;
    while (this.#characters > mostCharacters && first < changes.length - 1) {
      this.#characters -= changes[first]?.json.length ?? 0;
      first++;
    }
    return first === 0 ? changes : changes.slice(first);
  }
}
