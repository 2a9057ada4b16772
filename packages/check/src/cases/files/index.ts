import type { Area } from '../case.js';
import { accessOfFiles } from './access.js';
import { backupCases } from './backup.js';
import { cloudCases } from './cloud.js';
import { diagnosisCases } from './diagnosis.js';
import { restoreCases } from './restore.js';
import { tokenCases } from './tokens.js';
import { updateCases } from './update.js';

/** Transfers of files, and what is done with them: session tokens, backups, diagnosis, firmware. */
export const fileArea: Area = {
  name: 'file',
  title: 'Files and session tokens',
  cases: (subject) => [
    ...tokenCases(subject),
    ...backupCases(subject),
    ...restoreCases(subject),
    ...diagnosisCases,
    ...updateCases(subject),
    ...cloudCases,
    ...accessOfFiles(subject),
  ],
};
