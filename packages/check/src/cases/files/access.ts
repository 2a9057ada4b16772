import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { passwordMessage, transfer, up } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { changePassword, passwordResult } from '../level/passwords.js';
import { noLoginAt, switchLevel, whileLevelIs } from '../levels.js';
import { aroundBackups, backupReleases, create } from './backup.js';
import { restore } from './restore.js';
import { fileStepsFor, newToken, tokenHeader, tokenReleases } from './token-steps.js';

/** What file transfers have to do with levels and passwords. */
export function accessOfFiles(subject: CheckSubject): readonly ConformanceCase[] {
  const { before, after } = aroundBackups(fileStepsFor(subject));
  const restored = whileLevelIs(subject, 'Maintenance', true, [
    create,
    switchLevel('Maintenance', false),
    restore,
    up(),
    noLoginAt('Maintenance'),
  ]);
  return [
    {
      stage: 'reboot',
      id: 'file.restore-keeps-levels',
      clause: 'A restore does not enable a user level that was enabled when the backup was made.',
      place: 'Azimuth: backups',
      level: 'should',
      names: ['EnableUserLevel', 'RestoreParameterBackup', 'parameterbackup'],
      releases: backupReleases,
      steps: [...before, ...restored.steps],
      cleanup: [...(restored.cleanup ?? []), ...after],
    },
    {
      id: 'file.token-of-changed-password',
      clause: 'A new password of a level ends the session tokens of this level: HTTP 403.',
      place: 'Azimuth: session tokens',
      level: 'should',
      stage: 'write',
      names: ['CreateSessionToken', 'changePassword'],
      releases: tokenReleases,
      steps: [
        newToken,
        passwordMessage('Service', 'message'),
        changePassword('Service', passwordResult(0)),
        transfer('GET', 'parameterbackup', { http: 403 }, { headers: tokenHeader() }),
      ],
    },
  ];
}
