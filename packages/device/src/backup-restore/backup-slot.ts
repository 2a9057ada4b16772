import type { Documents } from '../storage/documents.js';

const name = 'parameterbackup';
const loss = 'The parameter backup is none of ours: there is none until one is made or transferred';

/**
 * The one backup file that a scanner keeps: what CreateParameterBackup has made or a client has transferred, whichever
 * was last. On disk over restarts (mode 0600).
 */
export class BackupSlot {
  readonly #documents: Documents;
  /** Those who fetch it share it, as long as one of them is still being sent it. */
  #bytes: WeakRef<Uint8Array> | undefined;
  /** Those who ask while it is being read wait for the same bytes. */
  #reading: Promise<Uint8Array | undefined> | undefined;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** The file; undefined where there is none. */
  async read(): Promise<Uint8Array | undefined> {
    return this.#bytes?.deref() ?? (await this.#readOnce());
  }

  async #readOnce(): Promise<Uint8Array | undefined> {
    const reading =
      this.#reading ?? this.#documents.readFile(name, loss).finally(() => this.#forget(reading));
    this.#reading = reading;
    const bytes = await reading;
    // What has taken its place meanwhile is newer.
    return this.#bytes?.deref() ?? this.#keep(bytes);
  }

  #forget(reading: Promise<Uint8Array | undefined>): void {
    if (this.#reading === reading) this.#reading = undefined;
  }

  /**
   * Replaces the file; it is on disk when the promise is fulfilled.
   * @throws Fault 3 where it cannot be stored; the one before is still there, whole.
   */
  async replace(bytes: Uint8Array): Promise<void> {
    await this.#documents.storeFile(name, 'The parameter backup', bytes, { secret: true });
    this.#keep(bytes);
  }

  #keep(bytes: Uint8Array | undefined): Uint8Array | undefined {
    this.#bytes = bytes === undefined ? undefined : new WeakRef(bytes);
    return bytes;
  }
}
