import type { LoginLevel } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Where and as whom something was done. */
interface Context {
  /** Of the scanner, for people and commands. */
  readonly url: string;
  /** The level of the login; undefined if nobody was logged in. */
  readonly level: LoginLevel | undefined;
}

interface Done extends Context {
  readonly at: Date;
  /** Of the variable or the method. */
  readonly name: string;
}

/** Something that was done to the scanner in this visit. */
export type Change =
  | (Done & { readonly kind: 'write'; readonly before: unknown; readonly after: unknown })
  | (Done & { readonly kind: 'call'; readonly request: unknown });

const mostKept = 500;

/** Methods whose request has secrets, or belongs to a file. None of it is kept: it must not stand on a page. */
const withoutRequest = new Set([
  'setCertificateBundle',
  'changePassword',
  'SetPassword',
  'CreateParameterBackup',
  'RestoreParameterBackup',
  'RunFirmwareUpdate',
]);

/** What was changed in this visit, the newest last. It is forgotten when the page is closed. */
export class ChangeHistory {
  readonly #changes: Signal<readonly Change[]> = signal([]);
  readonly #now: () => Context;

  constructor(now: () => Context) {
    this.#now = now;
  }

  get changes(): ReadonlySignal<readonly Change[]> {
    return this.#changes;
  }

  written(name: string, before: unknown, after: unknown): void {
    this.#add({ ...this.#now(), kind: 'write', at: new Date(), name, before, after });
  }

  called(name: string, request: unknown): void {
    const kept = withoutRequest.has(name) ? undefined : request;
    this.#add({ ...this.#now(), kind: 'call', at: new Date(), name, request: kept });
  }

  #add(change: Change): void {
    this.#changes.value = [...this.#changes.peek(), change].slice(-mostKept);
  }
}
