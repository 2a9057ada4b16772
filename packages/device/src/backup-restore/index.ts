export { decodeBackup, RestoreRefused } from './backup-file.js';
export { decrypted, isContainer } from './encrypted-backup.js';
