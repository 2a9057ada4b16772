import { backupRestore, JobStatus, RestoreResult, type ValueOf } from '@azimuth/model';
import type { Announcements } from '../announcements.js';

const { CreateParameterBackupResult, RestoreParameterBackupResult } = backupRestore.members;

type Created = ValueOf<'CreateParameterBackupResult'>;
type Restored = ValueOf<'RestoreParameterBackupResult'>;

/** The result of a restore. */
export type RestoreOutcome = Omit<Restored, 'Status'>;

const neverCreated: Created = { Status: JobStatus.Pending, Result: false };
const neverRestored: Restored = {
  Status: JobStatus.Pending,
  RestoreResult: RestoreResult.Ok,
  ParametersFailedToRestore: [],
};

/** The results of the last backup and the last restore since the boot, for clients that poll until they are finished. */
export class BackupResults {
  readonly #announcements: Announcements;
  #created = neverCreated;
  #restored = neverRestored;

  constructor(announcements: Announcements) {
    this.#announcements = announcements;
  }

  get created(): Created {
    return this.#created;
  }

  get restored(): Restored {
    return this.#restored;
  }

  /** Resets both at a boot. */
  clear(): void {
    this.#setCreated(neverCreated);
    this.#setRestored(neverRestored);
  }

  /** Reports the state of a backup: pending, then finished, successful or not. */
  async followCreation(create: () => Promise<void>): Promise<void> {
    this.#setCreated(neverCreated);
    let Result = false;
    try {
      await create();
      Result = true;
    } finally {
      this.#setCreated({ Status: JobStatus.Finished, Result });
    }
  }

  /** Reports the state of a restore. An internal error counts as IoError. */
  async followRestore(restore: () => Promise<RestoreOutcome>): Promise<RestoreOutcome> {
    this.#setRestored(neverRestored);
    let outcome: RestoreOutcome = { RestoreResult: RestoreResult.IoError, ParametersFailedToRestore: [] };
    try {
      outcome = await restore();
      return outcome;
    } finally {
      this.#setRestored({ Status: JobStatus.Finished, ...outcome });
    }
  }

  #setCreated(created: Created): void {
    this.#created = created;
    this.#announcements.changed([CreateParameterBackupResult]);
  }

  #setRestored(restored: Restored): void {
    this.#restored = restored;
    this.#announcements.changed([RestoreParameterBackupResult]);
  }
}
