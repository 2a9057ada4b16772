import type { ConditionKind } from './condition-kind.js';
import { named, whileKnown, whole } from './detected.js';

const day = 86_400_000;

/** Conditions about whether clock, certificate, firmware and parameters are as they should be. */
export const settingsConditions: readonly ConditionKind[] = [
  {
    id: 'clock',
    severity: 'warning',
    title: 'Has a wrong clock',
    about:
      'The clock of the scanner differs from the clock of the monitor, and not by a time zone. Check the time server.',
    beginsAfter: 60,
    endsAfter: 60,
    detect: whileKnown(({ clockOffset }, limits) => {
      if (clockOffset === undefined) return undefined;
      const direction = clockOffset > 0 ? 'ahead' : 'behind';
      return whole(
        Math.abs(clockOffset) > limits.clockOffset,
        `the clock is ${Math.abs(clockOffset).toFixed(1)} s ${direction}`,
      );
    }),
  },
  {
    id: 'certificate',
    severity: 'warning',
    title: 'Has a certificate that ends soon',
    about: 'A certificate of HTTPS ends soon. Renew it.',
    beginsAfter: 0,
    endsAfter: 0,
    detect: whileKnown(({ certificateUntil }, { certificateDays }, now) => {
      if (certificateUntil === undefined) return [];
      const days = Math.max(0, Math.floor((certificateUntil - now) / day));
      return whole(certificateUntil - now < certificateDays * day, `the certificate ends in ${days} days`);
    }),
  },
  {
    id: 'certificate-ended',
    severity: 'error',
    title: 'Has a certificate that has ended',
    about: 'A certificate of HTTPS has ended: browsers and programs refuse it. Renew it.',
    beginsAfter: 0,
    endsAfter: 0,
    detect: whileKnown(({ certificateUntil }, _, now) =>
      whole(certificateUntil !== undefined && certificateUntil < now, 'the certificate has ended'),
    ),
  },
  {
    id: 'firmware',
    severity: 'warning',
    title: 'Runs an unexpected release',
    about:
      'The release of the firmware is none of the expected ones. Update the scanner, or expect this release.',
    beginsAfter: 0,
    endsAfter: 0,
    detect: whileKnown(({ release, firmware }, { releases }) => {
      if (releases.length === 0) return [];
      if (release === undefined) return undefined;
      return whole(!releases.includes(release), `${firmware} runs, expected ${releases.join(' or ')}`);
    }),
  },
  {
    id: 'unsaved',
    severity: 'warning',
    title: 'Has unsaved parameters',
    about:
      'Parameters were changed and not saved: a power cut would undo the changes. Save them, or boot the scanner.',
    beginsAfter: 0,
    endsAfter: 0,
    detect: whileKnown(({ unsaved, unsavedSince }, { unsavedSeconds }, now) => {
      if (unsavedSince === undefined) return [];
      return whole(now - unsavedSince >= unsavedSeconds * 1000, `not saved: ${named(unsaved)}`);
    }),
  },
  {
    id: 'drift',
    severity: 'warning',
    title: 'Differs from its site file',
    about: 'Parameters differ from the site file. Apply the file, or change it.',
    beginsAfter: 0,
    endsAfter: 0,
    detect: whileKnown(({ drift }) => (drift === undefined ? [] : whole(drift.length > 0, named(drift)))),
  },
  {
    id: 'backup',
    severity: 'warning',
    title: 'Has no recent backup',
    about:
      'The archive has nothing new of the scanner for days. The log says why the last backup failed: often the password of Service is wrong.',
    beginsAfter: 0,
    endsAfter: 0,
    // Also of a scanner that does not answer: then there is no backup either.
    detect: ({ archivedAt }, { backupDays }, now) => {
      if (archivedAt === undefined) return [];
      const days = Math.floor((now - archivedAt) / day);
      return whole(now - archivedAt > backupDays * day, `nothing was archived for ${days} days`);
    },
  },
];
