import { Mutex } from '@azimuth/async';
import { backupRestore, type Product, Refusal, RestoreResult, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { FirmwareRecord } from '../firmware-record.js';
import type { Identity } from '../identity/identity.js';
import type { Log, Random } from '../interfaces/environment.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Saving } from '../parameters/saving.js';
import { secretDocuments } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';
import {
  backupOf,
  decodeBackup,
  decrypted,
  encodeBackup,
  encrypted,
  isContainer,
  RestoreRefused,
} from './backup-file.js';
import { BackupResults, plannedRestore, type RestoreOutcome, selectedBy } from './restore-plan.js';

const {
  CreateParameterBackup,
  CreateParameterBackupResult,
  RestoreParameterBackup,
  RestoreParameterBackupResult,
} = backupRestore.members;

const { backup: name } = secretDocuments;
const loss = 'The stored parameter backup cannot be read; make or upload a new one';

/**
 * The one backup file that a scanner stores: the last one that CreateParameterBackup has made or a client has
 * transferred. It survives restarts (mode 0600).
 */
export class BackupSlot {
  readonly #documents: Documents;
  /** Downloads share the bytes while one of them is running. */
  #bytes: WeakRef<Uint8Array> | undefined;
  /** Requests that come during the read wait for the same bytes. */
  #reading: Promise<Uint8Array | undefined> | undefined;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** The file. Undefined if there is none. */
  async read(): Promise<Uint8Array | undefined> {
    return this.#bytes?.deref() ?? (await this.#readOnce());
  }

  async #readOnce(): Promise<Uint8Array | undefined> {
    const reading =
      this.#reading ?? this.#documents.readFile(name, loss).finally(() => this.#forget(reading));
    this.#reading = reading;
    const bytes = await reading;
    // A newer file was stored meanwhile.
    return this.#bytes?.deref() ?? this.#cache(bytes);
  }

  #forget(reading: Promise<Uint8Array | undefined>): void {
    if (this.#reading === reading) this.#reading = undefined;
  }

  /**
   * Replaces the file. It is on disk when the promise resolves.
   * @throws Refusal 3 if it cannot be stored; the old file stays complete
   */
  async replace(bytes: Uint8Array): Promise<void> {
    await this.#documents.storeFile(name, 'The parameter backup', bytes, { secret: true });
    this.#cache(bytes);
  }

  /** Forgets the bytes of the last read: the file is another one. */
  forget(): void {
    this.#bytes = undefined;
    this.#reading = undefined;
  }

  #cache(bytes: Uint8Array | undefined): Uint8Array | undefined {
    this.#bytes = bytes === undefined ? undefined : new WeakRef(bytes);
    return bytes;
  }
}

interface Options {
  readonly parameters: Parameters;
  readonly saving: Saving;
  readonly documents: Documents;
  readonly announcements: Announcements;
  readonly random: Random;
  readonly identity: Identity;
  readonly firmware: FirmwareRecord;
  readonly product: Product;
}

/** Maximum number of failed parameters in a response, and maximum length of a name (characters). */
const mostFailed = 100;
const longestName = 256;

/**
 * Creates, receives and restores backups of the parameters (specification, Backup and restore), one after the other.
 */
export class ParameterBackups implements Feature {
  readonly computed = [
    computed(CreateParameterBackupResult, () => this.results.created),
    computed(RestoreParameterBackupResult, () => this.results.restored),
  ];
  /** Both finish before their response. */
  readonly methods = [
    method(CreateParameterBackup, async ({ Passphrase }, { log }) => {
      await this.results.followCreation(() => this.create(Passphrase, log));
      return { Result: true };
    }),
    method(RestoreParameterBackup, async ({ Passphrase, Filter }, { log }) => {
      const selects = selectedBy(Filter);
      const outcome = await this.results.followRestore(() => this.restore(Passphrase, selects, log));
      return { Result: outcome.RestoreResult === RestoreResult.Ok, ...outcome };
    }),
  ];
  /** The results of the last backup and the last restore. */
  readonly results: BackupResults;
  readonly #options: Options;
  readonly #slot: BackupSlot;
  readonly #mutex = new Mutex();

  constructor(options: Options) {
    this.#options = options;
    this.results = new BackupResults(options.announcements);
    this.#slot = new BackupSlot(options.documents);
  }

  boot(): void {
    this.results.clear();
  }

  /** Remembers the results. The storage itself, with the file, is put back by its owner. */
  remember(): () => void {
    const putBack = this.results.remember();
    return () => {
      putBack();
      this.#slot.forget();
    };
  }

  /** The stored backup file. Undefined if there is none. */
  file(): Promise<Uint8Array | undefined> {
    return this.#slot.read();
  }

  /**
   * Stores a backup file, unchecked: a restore checks it.
   * @throws Refusal 3 if it cannot be stored
   */
  receive(file: Uint8Array): Promise<void> {
    return this.#mutex.run(() => this.#slot.replace(file));
  }

  /**
   * Makes a backup of the working values, after the jobs before it. An empty passphrase leaves it unencrypted.
   * @throws Refusal 3 if it cannot be stored; the old file stays complete
   */
  create(passphrase: string, log: Log): Promise<void> {
    return this.#mutex.run(async () => {
      const { parameters, random, identity, firmware, product } = this.#options;
      const plain = encodeBackup(
        backupOf(parameters.layer('working'), identity, product, firmware.versionText),
      );
      const file = passphrase === '' ? plain : await encrypted(plain, passphrase, random);
      await this.#slot.replace(file);
      log.info('A parameter backup was made', { bytes: file.length, encrypted: passphrase !== '' });
    });
  }

  /**
   * Restores the stored file: all selected parameters, working and stored, or none.
   */
  restore(
    passphrase: string,
    selects: (variable: Variable<unknown>) => boolean,
    log: Log,
  ): Promise<RestoreOutcome> {
    return this.#mutex.run(async () => {
      try {
        const { identity, firmware, product, saving } = this.#options;
        const target = { deviceIdentification: identity.name, firmware, product };
        const backup = decodeBackup(await this.#plain(passphrase));
        const values = plannedRestore(backup, { ...target, selects });
        await saving.restore(values).catch(refuseRestore);
        log.info('A parameter backup was restored', { parameters: Object.keys(values).length });
        return { RestoreResult: RestoreResult.Ok, ParametersFailedToRestore: [] };
      } catch (error) {
        if (!(error instanceof RestoreRefused)) throw error;
        const { result, message, failed } = error;
        log.warn('A parameter backup was not restored', { result, reason: message });
        const names = failed.slice(0, mostFailed).map((name) => name.slice(0, longestName));
        return { RestoreResult: RestoreResult[result], ParametersFailedToRestore: names };
      }
    });
  }

  async #plain(passphrase: string): Promise<Uint8Array> {
    const file = await this.#slot.read().catch(() => {
      throw new RestoreRefused('IoError', 'the backup file cannot be read');
    });
    if (file === undefined) throw new RestoreRefused('UpdateSourceError', 'there is no backup file yet');
    if (passphrase === '' && !isContainer(file)) return file;
    // A missing passphrase for an encrypted file counts as a wrong one. So does a passphrase for a file that is not
    // encrypted.
    return decrypted(file, passphrase);
  }
}

/** The disk has failed, or the parameters contradict the unchanged ones. */
function refuseRestore(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  if (error.status === 'internalServerError') throw new RestoreRefused('IoError', error.message);
  const [name = ''] = error.at.split(/[.[]/, 1);
  throw new RestoreRefused('UpdateRepositoryError', error.message, [name]);
}
