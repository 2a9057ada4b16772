import { firmwareVersion, isFrom, type Release, releases } from '@azimuth/model';
import type { Json, Matcher } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { call, type FileEdit, get, post, rebooted, type Step, until, up, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import {
  everyParameterAsChanged,
  everyParameterAtDefault,
  everyParameterChanged,
} from '../every-parameter.js';
import { aroundBackups, backupReleases, create } from './backup.js';
import { type FileSteps, fileStepsFor } from './token-steps.js';

const place = 'specification: Backup and restore';
const ours = 'Azimuth: backups';

const names = ['RestoreParameterBackup', 'parameterbackup', 'LocationName', 'EtherIPGateAddress'];
const common = { releases: backupReleases, names, level: 'must' } as const;
/** What restores replaces what is stored, too. */
const restoring = { ...common, stage: 'reboot' } as const;
/** What is refused changes nothing. */
const refusing = { ...common, stage: 'write' } as const;

const gateway = [192, 168, 7, 1];
const otherGateway = [192, 168, 8, 1];
const restoreWith = (data: Json, expect: Matcher = { present: true }): Step =>
  call('RestoreParameterBackup', data, { status: 0, data: expect });
/** Restores the backup file on the scanner. */
export const restore = restoreWith({ Passphrase: '' });
const reads = (name: string, value: Json, withinSeconds = 120): Step =>
  until(get(name, { status: 0, data: { has: { [name]: { is: value } } } }), withinSeconds, 2);

const inBackup: readonly Step[] = [
  write('LocationName', 'in the backup'),
  write('EtherIPGateAddress', gateway),
];
const afterwards: readonly Step[] = [
  write('LocationName', 'after the backup'),
  write('EtherIPGateAddress', otherGateway),
];

function everyParameterRestored(steps: FileSteps, subject: CheckSubject): ConformanceCase {
  const { before, after } = aroundBackups(steps);
  return {
    ...restoring,
    id: 'file.restore-every-parameter',
    clause: 'A restore gives every parameter the value that it had when the backup was made.',
    place,
    steps: [
      ...before,
      ...everyParameterChanged(subject),
      create,
      ...everyParameterAtDefault(subject),
      restore,
      up(),
      ...everyParameterAsChanged(subject),
    ],
    cleanup: after,
  };
}

function restoringCases(steps: FileSteps): readonly ConformanceCase[] {
  const { before, after } = aroundBackups(steps);
  const restored = (
    one: Pick<ConformanceCase, 'id' | 'clause'> & Partial<ConformanceCase>,
    then: readonly Step[],
  ): ConformanceCase => ({
    ...restoring,
    place,
    ...one,
    steps: [...before, ...inBackup, create, ...afterwards, ...then],
    cleanup: after,
  });
  const uploaded = (edits: readonly FileEdit[]): readonly Step[] => [
    steps.download({ http: 200 }, { keep: 'made' }),
    steps.upload({ http: 200 }, { file: { saved: 'made', edits } }),
  ];
  const filtered = (filter: number, what: string, location: string, address: Json): ConformanceCase =>
    restored(
      {
        id: `file.restore-filter-${filter}`,
        clause: `RestoreParameterBackup with Filter ${filter} restores ${what}, and nothing else.`,
        place: ours,
        level: 'should',
      },
      [
        restoreWith({ Passphrase: '', Filter: filter }),
        reads('LocationName', location),
        reads('EtherIPGateAddress', address),
      ],
    );
  return [
    restored(
      {
        id: 'file.restore',
        clause: 'RestoreParameterBackup gives the parameters the values in the backup file.',
      },
      [restore, reads('LocationName', 'in the backup'), reads('EtherIPGateAddress', gateway)],
    ),
    restored(
      {
        id: 'file.restore-is-stored',
        clause: 'Restored values are stored: they survive a SoftReset.',
        level: 'should',
      },
      [
        restore,
        reads('LocationName', 'in the backup'),
        ...rebooted(call('SoftReset', { ProcessorNbr: 0 })),
        reads('LocationName', 'in the backup'),
      ],
    ),
    restored(
      {
        id: 'file.restore-uploaded',
        clause: 'RestoreParameterBackup restores the file that was uploaded last.',
        place: 'guide: Backup',
      },
      [
        steps.download({ http: 200 }, { keep: 'made' }),
        create,
        steps.upload({ http: 200 }, { file: { saved: 'made' } }),
        restore,
        reads('LocationName', 'in the backup'),
      ],
    ),
    restored(
      {
        id: 'file.restore-result',
        clause: 'RestoreParameterBackup answers Result true, RestoreResult 0 and no failed parameters.',
        place: 'family: backups',
        level: 'should',
      },
      [
        restoreWith(
          { Passphrase: '' },
          {
            has: {
              Result: { is: true },
              RestoreResult: { is: 0 },
              ParametersFailedToRestore: { items: { present: true }, atMost: 0 },
            },
          },
        ),
      ],
    ),
    restored(
      {
        id: 'file.restore-finished',
        clause: 'RestoreParameterBackupResult has Status 1 and RestoreResult 0 once the backup is restored.',
        place: 'family: backups',
        level: 'should',
        names: [...names, 'RestoreParameterBackupResult'],
      },
      [
        restore,
        until(
          get('RestoreParameterBackupResult', {
            status: 0,
            data: {
              has: { RestoreParameterBackupResult: { has: { Status: { is: 1 }, RestoreResult: { is: 0 } } } },
            },
          }),
          30,
        ),
      ],
    ),
    restored(
      {
        id: 'file.restore-encrypted',
        clause: 'A backup with a passphrase is restored with this passphrase.',
        place: 'guide: Backup',
      },
      [
        write('LocationName', 'in the backup'),
        call('CreateParameterBackup', { Passphrase: 'only for this check' }, { status: 0 }),
        write('LocationName', 'after the backup'),
        restoreWith({ Passphrase: 'only for this check' }),
        reads('LocationName', 'in the backup'),
      ],
    ),
    filtered(0, 'everything', 'in the backup', gateway),
    filtered(2, 'the groups Ethernet and Legacy protocols', 'after the backup', gateway),
    filtered(4, 'everything but the network and the application', 'in the backup', otherGateway),
    restored(
      {
        id: 'file.restore-bare-arrays',
        clause: 'A restore accepts an array as it is, too.',
        place: ours,
        level: 'should',
      },
      [
        ...uploaded([
          { parameter: 'EtherIPGateAddress', members: { value: [192, 168, 9, 1] } },
          { resealed: true },
        ]),
        restoreWith({ Passphrase: '' }, { has: { RestoreResult: { oneOf: [0, 1] } } }),
      ],
    ),
    restored(
      {
        id: 'file.restore-of-older-release',
        clause: 'A backup of an older release is restored.',
        place: ours,
        level: 'should',
      },
      [
        ...uploaded([{ set: 'version', to: '2.1.0.0R' }, { resealed: true }]),
        restoreWith({ Passphrase: '' }, { has: { RestoreResult: { oneOf: [0, 1] } } }),
      ],
    ),
  ];
}

/** The next release, if there is one. */
function releasesAfter(release: Release): readonly Release[] {
  return releases.slice(releases.indexOf(release) + 1).slice(0, 1);
}

function refusedCases(steps: FileSteps, { release }: CheckSubject): readonly ConformanceCase[] {
  const { before, after } = aroundBackups(steps);
  /** A file that is refused, with the reasons that are right. The values stay, and RestoreResult says why. */
  const refused = (
    one: Pick<ConformanceCase, 'id' | 'clause'> & Partial<ConformanceCase>,
    results: readonly number[],
    given: {
      readonly edits?: readonly FileEdit[];
      readonly text?: string;
      readonly made?: string;
      readonly passphrase?: string;
    },
  ): ConformanceCase => ({
    ...refusing,
    place: 'family: results of a restore',
    level: 'should',
    ...one,
    steps: [
      ...before,
      ...inBackup,
      call('CreateParameterBackup', { Passphrase: given.made ?? '' }, { status: 0 }),
      ...(given.edits === undefined ? [] : [steps.download({ http: 200 }, { keep: 'made' })]),
      ...(given.edits === undefined
        ? []
        : [steps.upload({ http: 200 }, { file: { saved: 'made', edits: given.edits } })]),
      ...(given.text === undefined ? [] : [steps.upload({ http: 200 }, { file: { text: given.text } })]),
      ...afterwards,
      restoreWith(
        { Passphrase: given.passphrase ?? '' },
        {
          has: {
            Result: { is: false },
            RestoreResult: { oneOf: results },
          },
        },
      ),
      reads('LocationName', 'after the backup', 0),
      reads('EtherIPGateAddress', otherGateway, 0),
    ],
    cleanup: after,
  });
  // Only a file with its right checksum shows whether the rest is checked. Who computes another one may say so: 1.
  const resealed = (...edits: readonly FileEdit[]) => ({ edits: [...edits, { resealed: true }] as const });
  return [
    refused(
      {
        id: 'file.restore-changed-file',
        clause: 'A backup file with a changed value is refused: its checksum is wrong.',
      },
      [1],
      { edits: [{ parameter: 'LocationName', members: { value: 'forged' } }] },
    ),
    refused(
      {
        id: 'file.restore-wrong-checksum',
        clause: 'A backup file with another checksum is refused.',
      },
      [1],
      { edits: [{ set: 'checksum', to: '0'.repeat(64) }] },
    ),
    refused(
      {
        id: 'file.restore-without-checksum',
        clause: 'A backup file without a checksum is refused.',
      },
      [1, 2],
      { edits: [{ set: 'checksum' }] },
    ),
    refused({ id: 'file.restore-cut-file', clause: 'A backup file that is cut off is refused.' }, [1, 2], {
      edits: [{ cut: 300 }],
    }),
    refused({ id: 'file.restore-no-json', clause: 'A file that is no backup is refused.' }, [2], {
      text: 'this is no backup',
    }),
    refused(
      {
        id: 'file.restore-of-another-type',
        clause: 'A backup of another device type is refused.',
      },
      [1, 3],
      resealed({ set: 'device identification', to: 'otherScan' }),
    ),
    refused(
      {
        id: 'file.restore-of-newer-release',
        clause: 'A backup of a newer release is refused.',
      },
      [1, 10],
      resealed({ set: 'version', to: '99.0.0.0R' }),
    ),
    ...releasesAfter(release).map((next) =>
      refused(
        {
          id: 'file.restore-of-next-release',
          clause: 'A backup of the next release is refused, although there is such a release.',
        },
        [1, 10],
        resealed({ set: 'version', to: firmwareVersion(next) }),
      ),
    ),
    refused(
      {
        id: 'file.restore-unknown-parameter',
        clause: 'A backup with a parameter that the scanner does not have is refused.',
      },
      [1, 4],
      resealed({ parameter: 'LEDEnable', members: { name: 'NoSuchParameter', id: '70a3c836' } }),
    ),
    refused(
      {
        id: 'file.restore-refused-value',
        clause:
          'A backup with a value that the scanner would not accept is refused as a whole: all parameters are restored, or none.',
      },
      [1, 4],
      resealed({ parameter: 'LocationName', members: { value: 'x'.repeat(33) } }),
    ),
    refused(
      {
        id: 'file.restore-wrong-id',
        clause: 'A backup in which a parameter has the id of another one is refused.',
        place: ours,
      },
      [1, 4],
      resealed({ parameter: 'LocationName', members: { id: '00000000' } }),
    ),
    {
      ...refusing,
      id: 'file.restore-names-failed',
      clause: 'ParametersFailedToRestore names the parameters that could not be restored.',
      place: 'family: results of a restore',
      level: 'should',
      steps: [
        ...before,
        create,
        steps.download({ http: 200 }, { keep: 'made' }),
        steps.upload(
          { http: 200 },
          {
            file: {
              saved: 'made',
              edits: [{ parameter: 'LocationName', members: { value: 7 } }, { resealed: true }],
            },
          },
        ),
        restoreWith(
          { Passphrase: '' },
          {
            any: [
              { has: { RestoreResult: { is: 1 } } },
              { has: { ParametersFailedToRestore: { is: ['LocationName'] } } },
            ],
          },
        ),
      ],
      cleanup: after,
    },
    refused(
      {
        id: 'file.restore-wrong-passphrase',
        clause: 'A backup with a passphrase is refused with another passphrase.',
      },
      [6],
      { made: 'only for this check', passphrase: 'another one' },
    ),
    refused(
      {
        id: 'file.restore-without-passphrase',
        clause: 'A backup with a passphrase is refused without one.',
      },
      [6],
      { made: 'only for this check' },
    ),
    refused(
      {
        id: 'file.restore-needless-passphrase',
        clause: 'A backup without a passphrase is refused with one.',
      },
      [7],
      { passphrase: 'only for this check' },
    ),
    refused(
      {
        id: 'file.restore-changed-encrypted-file',
        clause: 'An encrypted backup with a changed bit is refused.',
      },
      [6],
      { made: 'only for this check', passphrase: 'only for this check', edits: [{ flip: -100 }] },
    ),
    refused(
      {
        id: 'file.restore-cut-encrypted-file',
        clause: 'An encrypted backup that is cut off is refused.',
      },
      [8],
      { made: 'only for this check', passphrase: 'only for this check', edits: [{ cut: 300 }] },
    ),
    {
      ...refusing,
      id: 'file.restore-unknown-filter',
      clause: 'RestoreParameterBackup with an unknown bit in Filter answers status 6.',
      place: ours,
      level: 'should',
      steps: [call('RestoreParameterBackup', { Passphrase: '', Filter: 8 }, { status: 6 })],
    },
    {
      ...refusing,
      id: 'file.restore-without-login',
      clause: 'RestoreParameterBackup without a login answers status 4.',
      place: 'specification: Errors, status 4',
      steps: [post('RestoreParameterBackup', { status: 4 }, { data: { Passphrase: '' } })],
    },
  ];
}

export function restoreCases(subject: CheckSubject): readonly ConformanceCase[] {
  if (!isFrom(subject.release, backupReleases.since)) return [];
  const steps = fileStepsFor(subject);
  return [...refusedCases(steps, subject), ...restoringCases(steps), everyParameterRestored(steps, subject)];
}
