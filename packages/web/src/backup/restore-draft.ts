import {
  type BackupContent,
  backupContent,
  currentValues,
  NotDoneError,
  type OtherUnit,
  otherUnit,
  ownVariables,
  parametersIn,
  type Restored,
  type WrittenParameter,
  writeParameters,
} from '@azimuth/client';
import { backupRestore } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { Job } from '../parts/jobs.js';

/** A backup file beside the scanner to which it may be restored. */
export interface Comparison {
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Undefined if only the scanner can read the file. */
  readonly content: BackupContent | undefined;
  /** The values of the scanner when the file was chosen. */
  readonly now: ReadonlyMap<string, unknown>;
  /** Undefined if the backup is of this scanner, or if that cannot be known. */
  readonly other: OtherUnit | undefined;
}

/** Largest number of bytes of a file that a scanner accepts. */
const mostBytes = backupRestore.members.parameterbackup.facts.verbs.PUT?.maxBytes ?? 0;

/** The restore that a person prepares and makes. It continues while other pages are shown. */
export class RestoreDraft {
  readonly comparing = new Job<Comparison>();
  readonly writing = new Job<readonly WrittenParameter[]>();
  /** Of the whole file, by the scanner. */
  readonly fileRestore = new Job<Restored>();
  /** True if name and network settings are restored, too. */
  readonly withOwn = signal(false);
  readonly #left: Signal<ReadonlySet<string>> = signal(new Set());
  /** The parameters that a person does not want to restore. */
  readonly left: ReadonlySignal<ReadonlySet<string>> = this.#left;
  #stop = new AbortController();

  choose(name: string, wanted: boolean): void {
    const left = new Set(this.#left.peek());
    if (wanted) left.delete(name);
    else left.add(name);
    this.#left.value = left;
  }

  leave(names: readonly string[]): void {
    this.#left.value = new Set(names);
  }

  /** Reads a file, and the values of the scanner to compare it with. */
  compare(link: ScannerLink, file: File): Promise<void> {
    this.forget();
    return this.comparing.run('Comparing the file with the scanner', async () => {
      if (file.size > mostBytes)
        throw new NotDoneError(file.name, 'too large', `a backup has at most ${mostBytes} bytes`);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const content = backupContent(bytes);
      const known = { fileName: file.name, bytes, content };
      if (content === undefined) return { ...known, now: new Map(), other: undefined };
      if (content.values.size === 0)
        throw new NotDoneError(file.name, 'no backup', 'this file has no parameters in it: it is no backup');
      const now = await currentValues(link.scanner, [
        ...parametersIn(content, link.known.peek()),
        ...ownVariables,
      ]);
      const other = otherUnit(content, now);
      this.withOwn.value = other === undefined;
      return { ...known, now, other };
    });
  }

  /** Writes parameters one by one. */
  write(link: ScannerLink, parameters: readonly { readonly name: string; readonly to: unknown }[]) {
    this.#stop = new AbortController();
    return this.writing.run('Writing', (tell) =>
      writeParameters({ writeAny: (name, value) => link.write(name, value) }, parameters, {
        signal: this.#stop.signal,
        onProgress: (done, total, next) => tell(`Writing ${next}`, done, total),
      }),
    );
  }

  /** Stops behind the parameter that is being written. */
  stop(): void {
    this.#stop.abort();
  }

  /** Sends the whole file to the scanner, which restores all of it or nothing. */
  restoreFile(link: ScannerLink, bytes: Uint8Array<ArrayBuffer>, passphrase: string): Promise<void> {
    return this.fileRestore.run('The scanner restores the file', async () => {
      const restored = await link.scanner.restore(bytes, { passphrase: passphrase || undefined });
      link.history.called(backupRestore.members.RestoreParameterBackup.name, '…');
      link.readings.readAll();
      await link.stored.read();
      return restored;
    });
  }

  /** Another file may be chosen. */
  forget(): void {
    this.comparing.clear();
    this.writing.clear();
    this.fileRestore.clear();
    this.#left.value = new Set();
  }
}

export const restoreDraftOf = ofEachScanner(() => new RestoreDraft());
