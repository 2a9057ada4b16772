import { ClientError, ScannerError } from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** State of a variable on this page. */
export type Reading =
  | { readonly state: 'waiting' }
  | { readonly state: 'known'; readonly value: unknown }
  /** This scanner has no such variable. */
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string };

const waiting: Reading = { state: 'waiting' };
const missing: Reading = { state: 'missing' };

/** ms after which a failed read is repeated, while the variable is on the screen. */
const againAfter = 3000;

/** Reads of one scanner at the same time. */
const mostAtOnce = 4;

/**
 * The values of a scanner, each as a signal. A variable is read when a component needs it first, and set by every
 * change that the scanner announces. A signal keeps its value while the scanner does not answer.
 */
export class Readings {
  readonly #read: (name: string) => Promise<unknown>;
  readonly #signals = new Map<string, Signal<Reading>>();
  readonly #shown = new Set<string>();
  readonly #due = new Set<string>();
  /**
   * Number of the last announcement of each variable. A read that began before an announcement may end after it, with
   * the older value.
   */
  readonly #announced = new Map<string, number>();
  #announcements = 0;
  #underWay = 0;

  /** @param read reads a variable by its name on the wire, with `x/` for extensions */
  constructor(read: (name: string) => Promise<unknown>) {
    this.#read = read;
  }

  of(name: string): ReadonlySignal<Reading> {
    const known = this.#signals.get(name);
    if (known !== undefined) return known;
    const made = this.#add(name);
    this.#ask(name);
    return made;
  }

  #add(name: string): Signal<Reading> {
    const made = signal<Reading>(waiting, {
      watched: () => this.#shown.add(name),
      unwatched: () => this.#shown.delete(name),
    });
    this.#signals.set(name, made);
    return made;
  }

  /** The value of a variable that was read; undefined before, and if the scanner has none of this name. */
  valueOf(name: string): unknown {
    const reading = this.of(name).value;
    return reading.state === 'known' ? reading.value : undefined;
  }

  /** Sets values that the scanner announced. Variables that no component has used are left out. */
  update(changed: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(changed)) {
      const known = this.#signals.get(name);
      if (known === undefined) continue;
      this.#due.delete(name);
      this.#announced.set(name, ++this.#announcements);
      known.value = { state: 'known', value };
    }
  }

  /** Sets values that were read elsewhere, also those that no component has used yet. Known values stay. */
  begin(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) {
      const known = this.#signals.get(name) ?? this.#add(name);
      if (known.peek().state === 'waiting') known.value = { state: 'known', value };
    }
  }

  /** Reads all known variables again: announcements may have been missed. */
  readAll(): void {
    for (const name of this.#signals.keys()) this.#ask(name);
  }

  /** Reads the variables on the screen again. */
  readShown(): void {
    for (const name of this.#shown) this.#ask(name);
  }

  #ask(name: string): void {
    this.#due.add(name);
    while (this.#underWay < mostAtOnce) {
      const [next] = this.#due;
      if (next === undefined) return;
      this.#due.delete(next);
      this.#underWay++;
      void this.#fetch(next).finally(() => {
        this.#underWay--;
        const [waitingName] = this.#due;
        if (waitingName !== undefined) this.#ask(waitingName);
      });
    }
  }

  /** Repeats a read later: the scanner may never announce the variable. */
  #askLater(name: string): void {
    setTimeout(() => {
      if (this.#shown.has(name)) this.#ask(name);
    }, againAfter);
  }

  async #fetch(name: string): Promise<void> {
    const into = this.#signals.get(name);
    if (into === undefined) return;
    const announced = this.#announced.get(name);
    try {
      const value = await this.#read(name);
      if (this.#announced.get(name) !== announced) return;
      into.value = { state: 'known', value };
    } catch (error) {
      const reading = readingOf(error);
      // The last value is more useful than the message that the scanner does not answer. The strip shows that message.
      if (into.peek().state !== 'known' || reading.state === 'missing') into.value = reading;
      if (reading.state === 'failed') this.#askLater(name);
    }
  }
}

function readingOf(error: unknown): Reading {
  if (error instanceof ScannerError && error.statusName === 'notFound') return missing;
  if (error instanceof ClientError) return { state: 'failed', reason: error.message };
  throw error;
}
