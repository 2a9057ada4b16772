/** @packageDocumentation @internal */

export { decodeBackup, decrypted, isContainer, RestoreRefused } from './backup-file.js';
