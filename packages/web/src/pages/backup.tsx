export { Backup as default } from '../backup/backup.js';
