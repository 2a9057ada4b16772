import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Something that was done to the scanner in this visit. */
export type Change =
  | {
      readonly kind: 'write';
      readonly at: Date;
      readonly name: string;
      readonly before: unknown;
      readonly after: unknown;
    }
  | { readonly kind: 'call'; readonly at: Date; readonly name: string; readonly request: unknown };

const mostKept = 500;

/** Methods whose request holds secrets, which must not stand on a page. */
const secret = new Set(['setCertificateBundle', 'changePassword', 'SetPassword', 'CreateParameterBackup']);

/** What was changed in this visit, the newest last. It is forgotten when the page is closed. */
export class ChangeHistory {
  readonly #changes: Signal<readonly Change[]> = signal([]);

  get changes(): ReadonlySignal<readonly Change[]> {
    return this.#changes;
  }

  written(name: string, before: unknown, after: unknown): void {
    this.#add({ kind: 'write', at: new Date(), name, before, after });
  }

  called(name: string, request: unknown): void {
    this.#add({ kind: 'call', at: new Date(), name, request: secret.has(name) ? '…' : request });
  }

  #add(change: Change): void {
    this.#changes.value = [...this.#changes.peek(), change].slice(-mostKept);
  }
}

/** The command line that repeats a change; undefined for one that holds a secret. */
export function commandOf(change: Change, url: string): string | undefined {
  if (change.kind === 'write')
    return `azimuth set ${change.name} ${quoted(JSON.stringify(change.after))} --device ${url}`;
  if (secret.has(change.name)) return undefined;
  const request = change.request === undefined ? '' : ` ${quoted(JSON.stringify(change.request))}`;
  return `azimuth call ${change.name}${request} --device ${url}`;
}

/** As one word of a POSIX shell. */
function quoted(word: string): string {
  return /^[\w.,:/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
