import { backupRestore, Fault, type Release, RestoreResult, type Variable } from '@azimuth/model';
import { computed, type Feature, method } from '../feature.js';
import type { Identity } from '../identity/identity.js';
import type { Log } from '../interfaces/log.js';
import type { Random } from '../interfaces/random.js';
import { Later } from '../later.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Saving } from '../parameters/saving.js';
import type { BackupSlot } from './backup-slot.js';
import { selectedBy } from './restore-filter.js';
import type { BackupResults, RestoreOutcome } from './results.js';

const {
  CreateParameterBackup,
  CreateParameterBackupResult,
  RestoreParameterBackup,
  RestoreParameterBackupResult,
} = backupRestore.members;

type FileWork = typeof import('./file-work.js');

const fileWork = new Later(() => import('./file-work.js'));

interface Facts {
  readonly parameters: Parameters;
  readonly saving: Saving;
  readonly slot: BackupSlot;
  readonly results: BackupResults;
  readonly random: Random;
  readonly identity: Identity;
  readonly release: () => Release;
}

/** How many failed parameters a reply names, and how long a name may be (characters). */
const mostFailed = 100;
const longestName = 256;

/** Makes, takes and restores backups of the parameters (specification, Backup and restore), one after the other. */
export class ParameterBackups implements Feature {
  readonly computed = [
    computed(CreateParameterBackupResult, () => this.#facts.results.created),
    computed(RestoreParameterBackupResult, () => this.#facts.results.restored),
  ];
  /** Both are done before they are answered. */
  readonly methods = [
    method(CreateParameterBackup, async ({ Passphrase }, { log }) => {
      await this.#facts.results.followCreation(() => this.create(Passphrase, log));
      return { Result: true };
    }),
    method(RestoreParameterBackup, async ({ Passphrase, Filter }, { log }) => {
      const selects = selectedBy(Filter);
      const outcome = await this.#facts.results.followRestore(() => this.restore(Passphrase, selects, log));
      return { Result: outcome.RestoreResult === RestoreResult.Ok, ...outcome };
    }),
  ];
  readonly #facts: Facts;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  boot(): void {
    this.#facts.results.clear();
  }

  /** The backup file as it lies on the scanner; undefined where there is none. */
  file(): Promise<Uint8Array | undefined> {
    return this.#facts.slot.read();
  }

  /**
   * Takes a backup file of whatever content: a restore tells what is wrong with it.
   * @throws Fault 3 where it cannot be stored.
   */
  take(file: Uint8Array): Promise<void> {
    return this.#alone(() => this.#facts.slot.replace(file));
  }

  /**
   * Makes a backup of the working values as they are when its turn comes. An empty passphrase leaves it unencrypted.
   * @throws Fault 3 where it cannot be stored; the file before is still there, whole.
   */
  create(passphrase: string, log: Log): Promise<void> {
    return this.#alone(async () => {
      const { encodeBackup, backupOf, encrypted } = await fileWork.loaded();
      const { parameters, slot, random, identity, release } = this.#facts;
      const plain = encodeBackup(backupOf(parameters, identity, release()));
      const file = passphrase === '' ? plain : await encrypted(plain, passphrase, random);
      await slot.replace(file);
      log.info('A parameter backup was made', { bytes: file.length, encrypted: passphrase !== '' });
    });
  }

  /**
   * Restores the file that lies on the scanner: every parameter of it that is selected, working and stored, or none.
   */
  restore(
    passphrase: string,
    selects: (variable: Variable<unknown>) => boolean,
    log: Log,
  ): Promise<RestoreOutcome> {
    return this.#alone(async () => {
      const work = await fileWork.loaded();
      try {
        const { identity, release, saving } = this.#facts;
        const deviceIdentification = identity.name;
        const backup = work.decodeBackup(await this.#plain(passphrase, work));
        const values = work.plannedRestore(backup, { deviceIdentification, release: release(), selects });
        await saving.restore(values).catch((error: unknown) => refuseFault(error, work));
        log.info('A parameter backup was restored', { parameters: Object.keys(values).length });
        return { RestoreResult: RestoreResult.Ok, ParametersFailedToRestore: [] };
      } catch (error) {
        if (!(error instanceof work.RestoreRefused)) throw error;
        const { result, message, failed } = error;
        log.warn('A parameter backup was not restored', { result, reason: message });
        const names = failed.slice(0, mostFailed).map((name) => name.slice(0, longestName));
        return { RestoreResult: RestoreResult[result], ParametersFailedToRestore: names };
      }
    });
  }

  async #plain(
    passphrase: string,
    { decrypted, isContainer, RestoreRefused }: FileWork,
  ): Promise<Uint8Array> {
    const file = await this.#facts.slot.read().catch(() => {
      throw new RestoreRefused('IoError', 'the backup file cannot be read');
    });
    if (file === undefined) throw new RestoreRefused('UpdateSourceError', 'there is no backup file yet');
    if (passphrase === '' && !isContainer(file)) return file;
    // An encrypted file without a passphrase is like one with a wrong one; a passphrase has to have been of use.
    return decrypted(file, passphrase);
  }

  #alone<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

/** A disk that fails, or parameters that do not go together with those that stay. */
function refuseFault(error: unknown, { RestoreRefused }: FileWork): never {
  if (!(error instanceof Fault)) throw error;
  if (error.status === 'internalServerError') throw new RestoreRefused('IoError', error.message);
  const [name = ''] = error.at.split(/[.[]/, 1);
  throw new RestoreRefused('UpdateRepositoryError', error.message, [name]);
}
