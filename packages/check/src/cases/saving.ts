import type { CheckSubject } from '../scanner/checked-scanner.js';
import { call, get, post, type Step, write } from '../steps/index.js';
import type { Area, ConformanceCase } from './case.js';
import {
  everyParameterAsChanged,
  everyParameterAtDefault,
  everyParameterChanged,
} from './every-parameter.js';
import { aroundBackups, backupReleases, create } from './files/backup.js';
import { restore } from './files/restore.js';
import { fileStepsFor } from './files/token-steps.js';
import { savedAccess } from './kept-access.js';
import {
  afterReboot,
  afterSoftReset,
  clockAt,
  clockPutBack,
  reads,
  remember,
  save,
  saveWithOtherTime,
  stillReads,
} from './saving-steps.js';

const place = 'specification: States and transitions';
const variables = 'specification: Device identity and status variables';

const common = { level: 'must', stage: 'reboot', names: ['LocationName'] } as const;

const name = 'LocationName';

const persistence: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'save.write-eeprom',
    clause: 'WriteEeprom stores the working values: they survive a SoftReset.',
    place,
    steps: [write(name, 'saved'), save, ...afterSoftReset, reads(name, 'saved')],
  },
  {
    ...common,
    id: 'save.write-eeprom-result',
    clause: 'WriteEeprom answers Success true.',
    place: 'specification: General',
    steps: [call('WriteEeprom', undefined, { status: 0, data: { has: { Success: { is: true } } } })],
  },
  {
    ...common,
    id: 'save.write-eeprom-without-login',
    clause: 'WriteEeprom without a login answers status 4.',
    place: 'specification: Errors, status 4',
    stage: 'read',
    steps: [post('WriteEeprom', { status: 4 }, { body: {} })],
  },
  {
    ...common,
    id: 'save.all-parameters',
    clause: 'WriteEeprom stores the values of all parameters, of every kind.',
    place,
    names: [name, 'EtherIPGateAddress', 'LEDEnable', 'LFPparticle', 'FREchoFilter'],
    steps: [
      write(name, 'all of them'),
      write('EtherIPGateAddress', [192, 168, 7, 1]),
      write('LEDEnable', false),
      write('FREchoFilter', 2),
      save,
      ...afterSoftReset,
      reads(name, 'all of them'),
      reads('EtherIPGateAddress', [192, 168, 7, 1]),
      reads('LEDEnable', false),
      reads('FREchoFilter', 2),
    ],
  },
  {
    ...common,
    id: 'save.unsaved-is-lost',
    clause: 'A write changes the working copy only: after a SoftReset, the value is the stored one again.',
    place,
    steps: [write(name, 'stored'), save, write(name, 'not stored'), ...afterSoftReset, reads(name, 'stored')],
  },
  {
    ...common,
    id: 'save.reboot-device',
    clause: 'RebootDevice stores the working values before it reboots.',
    place,
    steps: [
      write(name, 'by RebootDevice'),
      ...afterReboot,
      reads(name, 'by RebootDevice'),
      ...afterSoftReset,
      reads(name, 'by RebootDevice'),
    ],
  },
];

function everyParameterSaved(subject: CheckSubject): ConformanceCase {
  return {
    ...common,
    id: 'save.every-parameter',
    clause: 'After WriteEeprom and a SoftReset, every parameter has the value that it had.',
    place,
    steps: [
      ...everyParameterChanged(subject),
      save,
      ...everyParameterAtDefault(subject),
      ...afterSoftReset,
      ...everyParameterAsChanged(subject),
    ],
  };
}

const date = (value: string): Step => reads('LastParaDate', value);
const time = (value: string): Step => reads('LastParaTime', value);
const clockNames = [name, 'LSPdatetime', 'LSPsetdatetime', 'LastParaDate', 'LastParaTime', 'TSCRole'];
const timed = { ...common, names: clockNames } as const;
const isSetTime = [date('03.02.2031'), time('04:05')];

/** A value that is certainly another one than before. */
const anotherValue = write(name, 'another value');

const saveTimes: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'save.format-of-date',
    clause: 'LastParaDate has the format DD.MM.YYYY.',
    place: variables,
    stage: 'read',
    names: ['LastParaDate'],
    steps: [
      get('LastParaDate', {
        status: 0,
        data: {
          has: {
            LastParaDate: { pattern: '^((0[1-9]|[12]\\d|3[01])\\.(0[1-9]|1[0-2])\\.\\d{4}|DD\\.MM\\.YYYY)$' },
          },
        },
      }),
    ],
  },
  {
    ...common,
    id: 'save.format-of-time',
    clause: 'LastParaTime has the format HH:MM.',
    place: variables,
    stage: 'read',
    names: ['LastParaTime'],
    steps: [
      get('LastParaTime', {
        status: 0,
        data: { has: { LastParaTime: { pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|HH:MM)$' } } },
      }),
    ],
  },
  {
    ...timed,
    id: 'save.time-of-save',
    clause:
      'LastParaDate and LastParaTime are the date and time of the last WriteEeprom, on the device clock.',
    place,
    steps: [...saveWithOtherTime, anotherValue, save, ...isSetTime],
    cleanup: [clockPutBack],
  },
  {
    ...timed,
    id: 'save.time-without-change',
    clause: 'A WriteEeprom that changes nothing sets LastParaDate and LastParaTime, too.',
    place: 'Azimuth: saving',
    level: 'should',
    steps: [...saveWithOtherTime, save, ...isSetTime],
    cleanup: [clockPutBack],
  },
  {
    ...timed,
    id: 'save.time-of-reboot-device',
    clause: 'RebootDevice sets LastParaDate and LastParaTime: it saves.',
    place: 'Azimuth: saving',
    level: 'should',
    steps: [...saveWithOtherTime, anotherValue, ...afterReboot, ...isSetTime],
  },
  {
    ...timed,
    id: 'save.time-stays',
    clause: 'A write of a parameter does not change LastParaDate and LastParaTime.',
    place,
    steps: [...saveWithOtherTime, save, clockAt(40), anotherValue, ...isSetTime],
    cleanup: [clockPutBack],
  },
  {
    ...timed,
    id: 'save.time-after-boot',
    clause: 'LastParaDate and LastParaTime survive a SoftReset, and it does not change them.',
    place,
    steps: [...saveWithOtherTime, anotherValue, save, ...afterSoftReset, ...isSetTime],
  },
];

const checksumPlace = 'guide: Persistence and checksums';
const md5 = { pattern: '^[0-9a-f]{32}$' } as const;
const checksums = { ...common, names: [name, 'LFTchecksum'] } as const;

const parts = ['MD5LinuxRoot', 'MD5App', 'MD5Calibration', 'MD5Parameters'];
const rememberChecksums = get(
  'LFTchecksum',
  { status: 0 },
  { save: Object.fromEntries(parts.map((part) => [part, `data.LFTchecksum.${part}`])) },
);
/** Expects the remembered checksums. That of the parameters has moved, or not. */
const checksumsNow = (moved: boolean): Step =>
  get('LFTchecksum', {
    status: 0,
    data: {
      has: {
        LFTchecksum: {
          has: {
            MD5Parameters: moved ? { not: { isSaved: 'MD5Parameters' } } : { isSaved: 'MD5Parameters' },
          },
        },
      },
    },
  });
const known = [write(name, 'checksum before'), save, rememberChecksums];

const checksumCases: readonly ConformanceCase[] = [
  {
    ...checksums,
    id: 'save.checksum-form',
    clause: 'LFTchecksum has MD5SumOK and four MD5 checksums of 32 hexadecimal digits.',
    place: checksumPlace,
    stage: 'read',
    steps: [
      get('LFTchecksum', {
        status: 0,
        data: {
          has: {
            LFTchecksum: {
              has: {
                MD5SumOK: { oneOf: [true, false] },
                ...Object.fromEntries(parts.map((part) => [part, md5])),
              },
            },
          },
        },
      }),
    ],
  },
  {
    ...checksums,
    id: 'save.checksum-ok',
    clause: 'MD5SumOK is true unless something is damaged.',
    place: checksumPlace,
    stage: 'read',
    steps: [
      get('LFTchecksum', { status: 0, data: { has: { LFTchecksum: { has: { MD5SumOK: { is: true } } } } } }),
    ],
  },
  {
    ...checksums,
    id: 'save.checksum-of-write',
    clause: 'MD5Parameters does not move when a value is written but not saved.',
    place: checksumPlace,
    steps: [...known, anotherValue, checksumsNow(false)],
  },
  {
    ...checksums,
    id: 'save.checksum-of-soft-reset',
    clause: 'MD5Parameters does not move by a write and a SoftReset: the value is lost.',
    place: checksumPlace,
    steps: [...known, anotherValue, ...afterSoftReset, checksumsNow(false)],
  },
  {
    ...checksums,
    id: 'save.checksum-of-save',
    clause: 'MD5Parameters moves when a changed value is saved by WriteEeprom.',
    place: checksumPlace,
    steps: [...known, anotherValue, save, checksumsNow(true)],
  },
  {
    ...checksums,
    id: 'save.checksum-of-reboot-device',
    clause: 'MD5Parameters moves by a write and RebootDevice, which saves it.',
    place: checksumPlace,
    steps: [...known, anotherValue, ...afterReboot, checksumsNow(true)],
  },
  {
    ...checksums,
    id: 'save.checksum-of-parameters-alone',
    clause: 'MD5LinuxRoot, MD5App and MD5Calibration do not move when parameters are saved.',
    place: checksumPlace,
    steps: [
      ...known,
      anotherValue,
      save,
      get('LFTchecksum', {
        status: 0,
        data: {
          has: {
            LFTchecksum: {
              has: Object.fromEntries(
                parts.filter((part) => part !== 'MD5Parameters').map((part) => [part, { isSaved: part }]),
              ),
            },
          },
        },
      }),
    ],
  },
];

function restoreCases(subject: CheckSubject): readonly ConformanceCase[] {
  const { before, after } = aroundBackups(fileStepsFor(subject));
  return [
    {
      ...checksums,
      id: 'save.checksum-of-same-restore',
      clause: 'MD5Parameters does not move when an unchanged backup is restored.',
      place: checksumPlace,
      names: [...checksums.names, 'CreateParameterBackup', 'RestoreParameterBackup'],
      releases: backupReleases,
      steps: [...before, ...known, create, restore, checksumsNow(false)],
      cleanup: after,
    },
    {
      ...checksums,
      id: 'save.checksum-of-restore',
      clause: 'MD5Parameters moves when a restore changes a stored value.',
      place: 'Azimuth: saving',
      level: 'should',
      names: [...checksums.names, 'CreateParameterBackup', 'RestoreParameterBackup'],
      releases: backupReleases,
      steps: [...before, ...known, anotherValue, create, restore, checksumsNow(true)],
      cleanup: after,
    },
    {
      ...timed,
      id: 'save.time-of-restore',
      clause: 'RestoreParameterBackup sets LastParaDate and LastParaTime: it saves.',
      place: 'Azimuth: saving',
      level: 'should',
      names: [...clockNames, 'CreateParameterBackup', 'RestoreParameterBackup'],
      releases: backupReleases,
      steps: [
        ...before,
        write(name, 'before the restore'),
        create,
        anotherValue,
        ...saveWithOtherTime,
        restore,
        ...isSetTime,
      ],
      cleanup: [clockPutBack, ...after],
    },
  ];
}

const webserver: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'save.web-server-until-boot',
    clause:
      'SetWebserverEnabled takes effect at the next boot: GetWebserverEnabled tells the new value, and REST goes on.',
    place,
    names: ['SetWebserverEnabled', 'GetWebserverEnabled'],
    steps: [
      post('GetWebserverEnabled', { status: 0, data: { has: { IsEnabled: { is: true } } } }),
      call('SetWebserverEnabled', { Enable: false }, { status: 0 }),
      post('GetWebserverEnabled', { status: 0, data: { has: { IsEnabled: { is: false } } } }),
      call('SetWebserverEnabled', { Enable: true }, { status: 0 }),
      post('GetWebserverEnabled', { status: 0, data: { has: { IsEnabled: { is: true } } } }),
    ],
    cleanup: [call('SetWebserverEnabled', { Enable: true }, { status: 0 })],
  },
];

const ethernet: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'save.ethernet-update-alone',
    clause: 'EthernetUpdate with unchanged settings answers status 0, and the scanner stays where it is.',
    place: 'specification: Ethernet and legacy protocols',
    names: ['EthernetUpdate', 'EtherIPAddress'],
    steps: [
      remember('EtherIPAddress'),
      call('EthernetUpdate', undefined, { status: 0 }),
      stillReads('EtherIPAddress'),
    ],
  },
  {
    ...common,
    id: 'save.ethernet-update-without-login',
    clause: 'EthernetUpdate without a login answers status 4.',
    place: 'specification: Errors, status 4',
    stage: 'read',
    names: ['EthernetUpdate'],
    steps: [post('EthernetUpdate', { status: 4 }, { body: {} })],
  },
];

/** Saving: what survives a boot, when something was saved, and the checksums of it. */
export const saveArea: Area = {
  name: 'save',
  title: 'Saving',
  cases: (subject) => [
    ...persistence,
    everyParameterSaved(subject),
    ...savedAccess(subject),
    ...saveTimes,
    ...checksumCases,
    ...restoreCases(subject),
    ...webserver,
    ...ethernet,
  ],
};
