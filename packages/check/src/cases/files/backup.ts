import { isFrom, levelNames, parametersOf } from '@azimuth/model';
import type { Matcher } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { call, get, post, type RequestStep, type Step, until, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { afterSoftReset } from '../saving-steps.js';
import { type FileSteps, fileStepsFor } from './token-steps.js';

export const backupReleases = { since: '2.2.0' } as const;

const fileFormat = 'specification: Parameter backup file';
const transfers = 'specification: Backup and restore';

/** Makes a backup on the scanner. */
export const create: RequestStep = call('CreateParameterBackup', { Passphrase: '' }, { status: 0 });

const common = {
  level: 'must',
  stage: 'write',
  names: ['CreateParameterBackup', 'parameterbackup'],
  releases: backupReleases,
} as const;

/** An entry of a parameter, in any group. */
export function entry(name: string, value: Matcher): Matcher {
  return { some: { has: { parameters: { some: { has: { name: { is: name }, value } } } } } };
}

/** Keeps the file that was on the scanner, and puts it back. Without one, nothing is put back. */
export function aroundBackups(steps: FileSteps): {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
} {
  return {
    before: [...steps.open, steps.download({ http: [200, 404] }, { keep: 'file before' })],
    after: [...steps.open, steps.upload({ http: 200 }, { file: { saved: 'file before' } })],
  };
}

const everyGroup = (matcher: Matcher): Matcher => ({ has: { parameters: { items: matcher, atLeast: 1 } } });
const everyEntry = (matcher: Matcher): Matcher =>
  everyGroup({ has: { parameters: { items: matcher, atLeast: 1 } } });

function contentCases(steps: FileSteps, subject: CheckSubject): readonly ConformanceCase[] {
  const { before, after } = aroundBackups(steps);
  const content = (
    one: Pick<ConformanceCase, 'id' | 'clause'> & Partial<ConformanceCase>,
    body: Matcher,
    first: readonly Step[] = [],
  ): ConformanceCase => ({
    ...common,
    place: fileFormat,
    ...one,
    steps: [...before, ...first, create, steps.download({ http: 200, body })],
    cleanup: after,
  });
  const device = subject.release;
  const all = parametersOf({ release: device, variant: subject.variant })
    .map(({ name }) => name)
    .filter((name) => subject.has(name));
  return [
    content(
      {
        id: 'file.backup-members',
        clause:
          'A backup file is a JSON object with the texts version, device identification and checksum, and the array parameters.',
      },
      {
        has: {
          version: { pattern: '.' },
          'device identification': { pattern: '.' },
          checksum: { pattern: '.' },
          parameters: { items: { present: true } },
        },
      },
    ),
    content(
      {
        id: 'file.backup-groups',
        clause: 'Each group of a backup file has a userlevel, and its entries in parameters.',
      },
      everyGroup({
        has: {
          userlevel: { oneOf: [...levelNames, 0, 1, 2, 3, 4] },
          parameters: { items: { present: true } },
        },
      }),
    ),
    content(
      {
        id: 'file.backup-entries',
        clause: 'Each entry of a backup file has the texts name and id, and a value.',
      },
      everyEntry({ has: { name: { pattern: '.' }, id: { pattern: '.' }, value: { present: true } } }),
    ),
    content(
      {
        id: 'file.backup-kinds-of-values',
        clause:
          'A value in a backup file is an integer, boolean, string, object or number: no array, and not null.',
      },
      everyEntry({ has: { value: { not: { items: { present: true } } } } }),
    ),
    content(
      {
        id: 'file.backup-version',
        clause: 'The version in a backup file is that of the firmware, as in DeviceIdent.',
        level: 'should',
        place: 'Azimuth: backups',
      },
      { has: { version: { isSaved: 'version' } } },
      [get('DeviceIdent', { status: 0 }, { save: { version: 'data.Version' } })],
    ),
    content(
      {
        id: 'file.backup-device',
        clause: 'The device identification in a backup file is the device type, as in DeviceIdent.',
        level: 'should',
        place: 'Azimuth: backups',
      },
      { has: { 'device identification': { isSaved: 'name' } } },
      [get('DeviceIdent', { status: 0 }, { save: { name: 'data.Name' } })],
    ),
    content(
      {
        id: 'file.backup-every-parameter',
        clause: 'A backup file has every parameter of the scanner.',
        level: 'should',
        place: 'Azimuth: backups',
      },
      { has: { parameters: { all: all.map((name) => entry(name, { present: true })) } } },
    ),
    content(
      {
        id: 'file.backup-levels',
        clause:
          'A parameter is in the group of the level that may write it: LocationName in that of AuthorizedClient.',
        level: 'should',
        place: 'Azimuth: backups',
      },
      {
        has: {
          parameters: {
            some: {
              has: {
                userlevel: { oneOf: ['AuthorizedClient', 3] },
                parameters: { some: { has: { name: { is: 'LocationName' } } } },
              },
            },
          },
        },
      },
    ),
    content(
      {
        id: 'file.backup-of-working-values',
        clause: 'A backup has the working values, saved or not.',
        level: 'should',
        place: 'Azimuth: backups',
      },
      { has: { parameters: entry('LocationName', { is: 'not saved yet' }) } },
      [write('LocationName', 'not saved yet')],
    ),
    content(
      {
        id: 'file.backup-replaced',
        clause: 'CreateParameterBackup replaces the backup file before it.',
        place: transfers,
        level: 'should',
      },
      { has: { parameters: entry('LocationName', { is: 'second backup' }) } },
      [write('LocationName', 'first backup'), create, write('LocationName', 'second backup')],
    ),
  ];
}

function callCases(steps: FileSteps): readonly ConformanceCase[] {
  const { before, after } = aroundBackups(steps);
  return [
    {
      ...common,
      id: 'file.backup-not-there',
      clause:
        'GET /parameterbackup answers HTTP 200 with the backup file, or HTTP 404 if none was created yet.',
      place: 'specification: Errors, HTTP 404',
      steps: [...steps.open, steps.download({ http: [200, 404] })],
    },
    {
      ...common,
      id: 'file.backup-download-name',
      clause:
        'GET /parameterbackup names a file to save (Content-Disposition), and forbids caches to keep it.',
      place: 'Azimuth: backups',
      level: 'informational',
      steps: [
        ...before,
        create,
        steps.download({
          http: 200,
          headers: {
            'content-disposition': { pattern: '^attachment' },
            'cache-control': { pattern: 'no-store' },
          },
        }),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-created',
      clause: 'After CreateParameterBackup, GET /parameterbackup answers HTTP 200 with the file as JSON.',
      place: transfers,
      steps: [
        ...before,
        create,
        steps.download({ http: 200, headers: { 'content-type': { pattern: '^application/json' } } }),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-result',
      clause: 'CreateParameterBackup answers Result true.',
      place: 'family: backups',
      level: 'should',
      steps: [
        ...before,
        call(
          'CreateParameterBackup',
          { Passphrase: '' },
          { status: 0, data: { has: { Result: { is: true } } } },
        ),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-passphrase-is-optional',
      clause: 'CreateParameterBackup works without a Passphrase.',
      place: 'guide: Backup',
      steps: [...before, call('CreateParameterBackup', {}, { status: 0 })],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-finished',
      clause: 'CreateParameterBackupResult has Status 1 and Result true once the backup is made.',
      place: 'family: backups',
      level: 'should',
      names: [...common.names, 'CreateParameterBackupResult'],
      steps: [
        ...before,
        create,
        until(
          get('CreateParameterBackupResult', {
            status: 0,
            data: {
              has: { CreateParameterBackupResult: { has: { Status: { is: 1 }, Result: { is: true } } } },
            },
          }),
          10,
        ),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-after-boot',
      clause: 'The backup file on the scanner is kept over a reboot.',
      place: 'Azimuth: backups',
      level: 'should',
      stage: 'reboot',
      steps: [
        ...before,
        create,
        steps.download({ http: 200 }, { keep: 'made' }),
        ...afterSoftReset,
        ...steps.open,
        steps.download({ http: 200 }, { sameAs: 'made' }),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-result-after-boot',
      clause: 'After a boot, CreateParameterBackupResult has Status 0: no backup was made since.',
      place: 'Azimuth: backups',
      level: 'should',
      stage: 'reboot',
      names: [...common.names, 'CreateParameterBackupResult'],
      steps: [
        ...before,
        create,
        ...afterSoftReset,
        get('CreateParameterBackupResult', {
          status: 0,
          data: { has: { CreateParameterBackupResult: { has: { Status: { is: 0 } } } } },
        }),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-without-login',
      clause: 'CreateParameterBackup without a login answers status 4.',
      place: 'specification: Errors, status 4',
      steps: [post('CreateParameterBackup', { status: 4 }, { data: { Passphrase: '' } })],
    },
    {
      ...common,
      id: 'file.backup-encrypted',
      clause: 'A backup with a passphrase does not show its content: it is not JSON, and names no parameter.',
      place: 'guide: Backup',
      steps: [
        ...before,
        call('CreateParameterBackup', { Passphrase: 'only for this check' }, { status: 0 }),
        steps.download({ http: 200, text: { not: { pattern: 'LocationName' } } }),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.backup-wrong-verb',
      clause: 'DELETE /parameterbackup answers status 5: the method of HTTP is wrong.',
      place: 'specification: Errors, status 5',
      steps: [
        ...steps.open,
        { kind: 'request', method: 'DELETE', path: 'parameterbackup', expect: { status: 5 } },
      ],
    },
  ];
}

const largestBackup = 16 * 1024 * 1024;

function uploadCases(steps: FileSteps): readonly ConformanceCase[] {
  const { before, after } = aroundBackups(steps);
  const made = [...before, create, steps.download({ http: 200 }, { keep: 'made' })];
  /** Uploads other bytes than those on the scanner, and fetches them. */
  const returned = (
    id: string,
    clause: string,
    place: string,
    upload: Step,
    level: ConformanceCase['level'] = 'must',
  ): ConformanceCase => ({
    ...common,
    id,
    clause,
    place,
    level,
    steps: [...made, upload, steps.download({ http: 200 }, { sameAs: 'sent' })],
    cleanup: after,
  });
  const sent = { file: { saved: 'made', edits: [{ blanks: 2 }] }, keepSent: 'sent' } as const;
  return [
    returned(
      'file.upload',
      'PUT /parameterbackup with the file as the body answers HTTP 200, and GET answers this file.',
      'guide: Backup',
      steps.upload({ http: 200 }, sent),
    ),
    returned(
      'file.upload-multipart',
      'PUT /parameterbackup accepts multipart/form-data with the file in a part named datei.',
      transfers,
      steps.upload({ http: 200 }, { ...sent, parts: [{ name: 'datei' }] }),
    ),
    returned(
      'file.upload-other-parts',
      'Parts of another name than datei are ignored.',
      'Azimuth: backups',
      steps.upload({ http: 200 }, { ...sent, parts: [{ name: 'note', text: 'hello' }, { name: 'datei' }] }),
      'should',
    ),
    returned(
      'file.upload-by-post',
      'POST /parameterbackup imports a backup file, as PUT does.',
      transfers,
      steps.transfer('POST', 'parameterbackup', { http: 200 }, sent),
      'should',
    ),
    returned(
      'file.upload-by-post-multipart',
      'POST /parameterbackup accepts multipart/form-data, as PUT does.',
      transfers,
      steps.transfer('POST', 'parameterbackup', { http: 200 }, { ...sent, parts: [{ name: 'datei' }] }),
      'should',
    ),
    {
      ...common,
      id: 'file.upload-answer',
      clause: 'The body of the answer to an upload is JSON with header.status 0.',
      place: 'Azimuth: backups',
      level: 'should',
      steps: [...made, steps.upload({ http: 200, status: 0 }, sent)],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.upload-without-datei',
      clause: 'A multipart upload without a part named datei answers HTTP 400, and the file before stays.',
      place: 'Azimuth: backups',
      level: 'should',
      steps: [
        ...made,
        steps.upload({ http: 400 }, { file: { text: '{}' }, parts: [{ name: 'file' }] }),
        steps.download({ http: 200 }, { sameAs: 'made' }),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.upload-nothing',
      clause: 'An upload without a file answers HTTP 400, and the file before stays.',
      place: 'Azimuth: backups',
      level: 'should',
      steps: [
        ...made,
        steps.upload({ http: 400 }, { file: { zeros: 0 } }),
        steps.download({ http: 200 }, { sameAs: 'made' }),
      ],
      cleanup: after,
    },
    {
      ...common,
      id: 'file.upload-too-large',
      clause: 'An upload of more than 16 MiB is refused with HTTP 413, before it is sent.',
      place: 'Azimuth: limits',
      level: 'should',
      steps: [...steps.open, steps.upload({ http: 413 }, { announced: largestBackup + 1 })],
    },
    {
      ...common,
      id: 'file.upload-of-largest-size',
      clause: 'An upload of 16 MiB is accepted.',
      place: 'Azimuth: limits',
      level: 'should',
      steps: [...steps.open, steps.upload('pending', { announced: largestBackup })],
    },
  ];
}

export function backupCases(subject: CheckSubject): readonly ConformanceCase[] {
  if (!isFrom(subject.release, backupReleases.since)) return [];
  const steps = fileStepsFor(subject);
  return [...callCases(steps), ...contentCases(steps, subject), ...uploadCases(steps)];
}
