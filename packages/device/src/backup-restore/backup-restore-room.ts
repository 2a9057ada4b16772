import { backupRestore, RestoreResult } from '@azimuth/model';
import { act, computed, type Room } from '../room.js';
import type { ParameterBackups } from './parameter-backups.js';
import { selectedBy } from './restore-filter.js';
import type { BackupResults } from './results.js';

const {
  CreateParameterBackup,
  CreateParameterBackupResult,
  RestoreParameterBackup,
  RestoreParameterBackupResult,
} = backupRestore.members;

/** Backup and restore (specification, Backup and restore): both are done before they are answered. */
export function backupRestoreRoom(backups: ParameterBackups, results: BackupResults): Room {
  return {
    computed: [
      computed(CreateParameterBackupResult, () => results.created),
      computed(RestoreParameterBackupResult, () => results.restored),
    ],
    acts: [
      act(CreateParameterBackup, async ({ Passphrase }, { log }) => {
        await results.followCreation(() => backups.create(Passphrase, log));
        return { Result: true };
      }),
      act(RestoreParameterBackup, async ({ Passphrase, Filter }, { log }) => {
        const selects = selectedBy(Filter);
        const outcome = await results.followRestore(() => backups.restore(Passphrase, selects, log));
        return { Result: outcome.RestoreResult === RestoreResult.Ok, ...outcome };
      }),
    ],
  };
}
