export { decrypted, isContainer } from './container.js';
export { valueOfEntry } from './entry-value.js';
export { RestoreRefused } from './restore-refused.js';
