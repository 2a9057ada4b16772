import { backupRestore, JobStatus, RestoreResult, type ValueOf } from '@azimuth/model';
import type { Announcements } from '../announcements.js';

const { CreateParameterBackupResult, RestoreParameterBackupResult } = backupRestore.members;

type Created = ValueOf<'CreateParameterBackupResult'>;
type Restored = ValueOf<'RestoreParameterBackupResult'>;

/** How a restore went. */
export type RestoreOutcome = Omit<Restored, 'Status'>;

const neverCreated: Created = { Status: JobStatus.Pending, Result: false };
const neverRestored: Restored = {
  Status: JobStatus.Pending,
  RestoreResult: RestoreResult.Ok,
  ParametersFailedToRestore: [],
};

/** How the last backup and the last restore since the boot went, for clients that ask until they are finished. */
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

  /** Forgets both: at a boot. */
  clear(): void {
    this.#setCreated(neverCreated);
    this.#setRestored(neverRestored);
  }

  /** Follows the making of a backup: pending, then finished, whatever comes of it. */
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

  /** Follows a restore. One that fails inside the scanner counts as a failed disk. */
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
