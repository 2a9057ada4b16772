import { AnswerError, ClientError, type Scanner, ScannerError } from '@azimuth/client';
import { extensionPrefix, isObject, sameJson } from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Edition } from './declarations.js';
import type { Readings } from './readings.js';

/** Members of a link that are needed to compare working and stored parameters. */
interface Link {
  readonly scanner: Scanner;
  readonly readings: Readings;
  readonly edition: ReadonlySignal<Edition | undefined>;
  value(name: string): unknown;
  /** True if the variable is being read, and no response has arrived yet. */
  isPending(name: string): boolean;
}

/** The variable with all stored parameters. */
const storedName = `${extensionPrefix}stored`;
/** Variables that a save changes. */
const tellSave = ['LastParaDate', 'LastParaTime'];

/** State of the stored parameters on this page. */
type Known =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'known'; readonly values: Readonly<Record<string, unknown>> }
  /** The scanner does not show its stored parameters. */
  | { readonly kind: 'unavailable' };

/** The stored parameters, and their differences from the working ones. */
export class StoredParameters {
  readonly #link: Link;
  readonly #turn: (read: () => Promise<unknown>) => Promise<unknown>;
  /** True if a component has used them. They are not read before: a list of many scanners would read too much. */
  #wanted = false;
  readonly #known: Signal<Known> = signal({ kind: 'waiting' });

  /** @param turn delays a read until it is its turn */
  constructor(link: Link, turn: (read: () => Promise<unknown>) => Promise<unknown>) {
    this.#link = link;
    this.#turn = turn;
  }

  readonly state: ReadonlySignal<Known['kind']> = computed(() => {
    this.#want();
    return this.#known.value.kind;
  });

  get #values(): Readonly<Record<string, unknown>> | undefined {
    const known = this.#known.value;
    return known.kind === 'known' ? known.values : undefined;
  }

  /** The stored value; undefined if it is not known. */
  valueOf(name: string): unknown {
    this.#want();
    return this.#values?.[name];
  }

  /** The parameters that a reboot would change, in the order of the model; undefined if that is not known. */
  readonly unsaved: ReadonlySignal<readonly string[] | undefined> = computed(() => {
    this.#want();
    const stored = this.#values;
    const edition = this.#link.edition.value;
    if (stored === undefined || edition === undefined) return undefined;
    const names = edition.known.parameters
      .filter(({ variable }) => variable.isIn(edition) && Object.hasOwn(stored, variable.name))
      .map(({ variable }) => variable.name);
    const changed = names.filter((name) => {
      const working = this.#link.value(name);
      return working !== undefined && !sameJson(working, stored[name]);
    });
    // Returns undefined until all are compared: the page must not show too early that all is saved.
    return changed.length === 0 && names.some((name) => this.#link.isPending(name)) ? undefined : changed;
  });

  /** Reads them again, if a component has used them. */
  refresh(): void {
    if (this.#wanted) void this.read();
  }

  #want(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    // Not while a signal is computed.
    queueMicrotask(() => void this.read());
  }

  async read(): Promise<void> {
    try {
      const stored = await this.#turn(() => this.#link.scanner.readAny(storedName));
      this.#known.value = { kind: 'known', values: isObject(stored) ? stored : {} };
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // Earlier values stay if the scanner refuses a later read, for example while it has too many requests.
      // A real scanner has no such path: another page, or none, is in the place of a response.
      const isRefused = error instanceof ScannerError || error instanceof AnswerError;
      if (isRefused && this.#known.peek().kind !== 'known') this.#known.value = { kind: 'unavailable' };
    }
  }

  /** Reads them again if these changes show a save, by any client. */
  follow(changed: Readonly<Record<string, unknown>>): void {
    if (tellSave.some((name) => Object.hasOwn(changed, name))) this.refresh();
  }
}
