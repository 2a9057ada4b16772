// What a backup and a restore do with the file: loaded with the first of them, so that a scanner starts without it.
export { encodeBackup } from './backup-file.js';
export { backupOf } from './backup-of.js';
export { decrypted, encrypted, isContainer } from './container.js';
export { decodeBackup } from './decode-backup.js';
export { plannedRestore } from './planned-restore.js';
export { RestoreRefused } from './restore-refused.js';
