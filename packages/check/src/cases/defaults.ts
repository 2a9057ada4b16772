import { isFrom, parametersOf } from '@azimuth/model';
import type { Json } from '../match/matcher.js';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { call, get, post, type Step, transfer, up, write } from '../steps/index.js';
import type { Area, ConformanceCase } from './case.js';
import { aroundBackups, backupReleases, create } from './files/backup.js';
import { restore } from './files/restore.js';
import { fileStepsFor } from './files/token-steps.js';
import { factoryPasswordCase } from './kept-access.js';
import { afterSoftReset, reads, remember, save, saveWithOtherTime, stillReads } from './saving-steps.js';

const place = 'specification: States and transitions';
const ours = 'Azimuth: defaults';

const common = { level: 'must', stage: 'destructive', needs: ['factory-access'] } as const;

/** Devices reboot afterwards. The password of Service is that of the factory then. */
const factory: readonly Step[] = [call('LoadFactoryDefaults', undefined, { status: 0 }), up()];
const byFactoryPassword = { login: { level: 'Service', password: 'servicelevel' } } as const;
const atFactoryDefaults = (name: string, value: Json): Step => reads(name, value);

/** Parameters whose factory value differs from device to device. */
const individual = new Set(['EtherDHCPFallback']);

/** The factory values of all parameters, by the model. */
function factoryValues({ release, variant, has }: CheckSubject): readonly (readonly [string, Json])[] {
  return parametersOf({ release, variant })
    .filter(({ name }) => has(name) && !individual.has(name))
    .map((variable) => [variable.name, jsonOf(variable.factoryValue({ release, createdWith: release }))]);
}

/** A value as it is in JSON. */
function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** Stored values that differ from the defaults. */
const changed: readonly Step[] = [write('LocationName', 'before the reset'), write('LEDEnable', false), save];

function factoryCases(subject: CheckSubject): readonly ConformanceCase[] {
  const steps = fileStepsFor(subject);
  const hasLevels = isFrom(subject.release, '2.1.0');
  return [
    {
      ...common,
      id: 'default.factory-without-login',
      clause: 'LoadFactoryDefaults without a login answers status 4.',
      place: 'specification: Errors, status 4',
      needs: [],
      steps: [
        remember('LocationName'),
        post('LoadFactoryDefaults', { status: 4 }, { body: {} }),
        stillReads('LocationName'),
      ],
    },
    {
      ...common,
      id: 'default.factory',
      clause: 'LoadFactoryDefaults sets all parameters to their defaults.',
      place,
      names: ['LocationName', 'LEDEnable'],
      steps: [
        ...changed,
        ...factory,
        ...factoryValues(subject).map(([name, value]) => atFactoryDefaults(name, value)),
      ],
    },
    {
      ...common,
      id: 'default.factory-is-stored',
      clause:
        'LoadFactoryDefaults resets the stored values, too: a SoftReset does not bring the old ones back.',
      place,
      names: ['LocationName'],
      steps: [
        write('LocationName', 'before the reset'),
        save,
        ...factory,
        call('SoftReset', { ProcessorNbr: 0 }, { status: 0 }, byFactoryPassword),
        { kind: 'down', withinSeconds: 10 },
        up(),
        reads('LocationName', 'not defined'),
      ],
    },
    {
      ...common,
      id: 'default.factory-time',
      clause: 'LoadFactoryDefaults sets LastParaDate and LastParaTime: it saves.',
      place: ours,
      level: 'should',
      names: ['LSPdatetime', 'LastParaDate'],
      steps: [
        ...saveWithOtherTime,
        call('LoadFactoryDefaults', undefined, { status: 0 }),
        up(),
        reads('LastParaDate', '03.02.2031'),
        reads('LastParaTime', '04:05'),
      ],
    },
    {
      ...common,
      id: 'default.factory-levels',
      clause: hasLevels
        ? 'After LoadFactoryDefaults, the levels Maintenance and AuthorizedClient are disabled: a login answers status 4.'
        : 'After LoadFactoryDefaults, the levels Maintenance and AuthorizedClient are enabled, with their factory passwords.',
      place: 'specification: States and transitions, factory state of user levels',
      steps: [
        ...(hasLevels
          ? [
              call('EnableUserLevel', { userLevel: 2, isEnabled: true }, { status: 0 }),
              call('EnableUserLevel', { userLevel: 3, isEnabled: true }, { status: 0 }),
            ]
          : []),
        ...factory,
        call(
          'checkCredentials',
          undefined,
          { status: hasLevels ? 4 : 0 },
          { login: { level: 'Maintenance', password: 'main' } },
        ),
        call(
          'checkCredentials',
          undefined,
          { status: hasLevels ? 4 : 0 },
          { login: { level: 'AuthorizedClient', password: 'client' } },
        ),
        call('checkCredentials', undefined, { status: 0 }, byFactoryPassword),
      ],
    },
    {
      ...common,
      id: 'default.factory-web-server',
      clause:
        'LoadFactoryDefaults switches the web server on again, if it was to be off from the next boot on.',
      place: ours,
      level: 'should',
      names: ['SetWebserverEnabled', 'GetWebserverEnabled'],
      steps: [
        call('SetWebserverEnabled', { Enable: false }, { status: 0 }),
        call('LoadFactoryDefaults', undefined, { status: 0 }),
        up(),
        post('GetWebserverEnabled', { status: 0, data: { has: { IsEnabled: { is: true } } } }),
      ],
      cleanup: [call('SetWebserverEnabled', { Enable: true }, { status: 0 }, byFactoryPassword)],
    },
    {
      ...common,
      id: 'default.factory-keeps-counters',
      clause: 'LoadFactoryDefaults does not set back PowerOnCnt and OpHours.',
      place: ours,
      level: 'informational',
      names: ['PowerOnCnt', 'OpHours'],
      steps: [
        remember('PowerOnCnt'),
        remember('OpHours'),
        ...factory,
        get('PowerOnCnt', {
          status: 0,
          data: { has: { PowerOnCnt: { minusSaved: 'PowerOnCnt', from: 0, to: 1 } } },
        }),
        get('OpHours', { status: 0, data: { has: { OpHours: { minusSaved: 'OpHours', from: 0, to: 1 } } } }),
      ],
    },
    {
      ...common,
      id: 'default.factory-keeps-identity',
      clause: 'LoadFactoryDefaults changes neither the serial number nor the firmware.',
      place,
      level: 'informational',
      names: ['SerialNumber', 'FirmwareVersion', 'EtherMACAddress'],
      steps: [
        remember('SerialNumber'),
        remember('FirmwareVersion'),
        remember('EtherMACAddress'),
        ...factory,
        stillReads('SerialNumber'),
        stillReads('FirmwareVersion'),
        stillReads('EtherMACAddress'),
      ],
    },
    {
      ...common,
      id: 'default.factory-keeps-archive',
      clause: 'LoadFactoryDefaults keeps the diagnostic archive.',
      place: 'Azimuth: diagnosis',
      level: 'should',
      names: ['DoDiagnosisDump', 'crown/file'],
      steps: [
        call('DoDiagnosisDump', { DoRunlevelLoop: false, Output: '' }, { status: 0 }),
        ...factory,
        transfer('GET', 'crown/file?filePath=diagnosisDump.zip', { http: 200 }),
      ],
    },
    {
      ...common,
      id: 'default.factory-keeps-backup',
      clause: 'LoadFactoryDefaults keeps the backup file on the scanner.',
      place: 'Azimuth: backups',
      level: 'informational',
      names: ['CreateParameterBackup', 'parameterbackup'],
      steps: [
        call('CreateParameterBackup', { Passphrase: '' }, { status: 0 }),
        ...steps.open,
        steps.download({ http: 200 }, { keep: 'made' }),
        ...factory,
        ...steps.open,
        steps.download({ http: 200 }, { sameAs: 'made' }),
      ],
    },
  ];
}

const application = {
  level: 'must',
  stage: 'destructive',
  names: ['LoadApplicationDefaults', 'EnableDetectionHistory', 'LocationName'],
} as const;
const loadApplication = call('LoadApplicationDefaults', undefined, { status: 0 });
const changedApplication: readonly Step[] = [write('EnableDetectionHistory', false), save];

const applicationCases: readonly ConformanceCase[] = [
  {
    ...application,
    id: 'default.application-without-login',
    clause: 'LoadApplicationDefaults without a login answers status 4.',
    place: 'specification: Errors, status 4',
    stage: 'read',
    steps: [post('LoadApplicationDefaults', { status: 4 }, { body: {} })],
  },
  {
    ...application,
    id: 'default.application',
    clause: 'LoadApplicationDefaults sets the parameters of the application to their defaults.',
    place,
    steps: [...changedApplication, loadApplication, up(), reads('EnableDetectionHistory', true)],
  },
  {
    ...application,
    id: 'default.application-is-stored',
    clause: 'LoadApplicationDefaults resets the stored values of the application, too.',
    place,
    steps: [
      ...changedApplication,
      loadApplication,
      up(),
      ...afterSoftReset,
      reads('EnableDetectionHistory', true),
    ],
  },
  {
    ...application,
    id: 'default.application-alone',
    clause:
      'LoadApplicationDefaults changes nothing but the application: interface settings and filters stay.',
    place,
    names: [...application.names, 'FREchoFilter', 'EtherIPGateAddress'],
    steps: [
      write('LocationName', 'stays'),
      write('FREchoFilter', 2),
      write('EtherIPGateAddress', [192, 168, 7, 1]),
      loadApplication,
      up(),
      reads('LocationName', 'stays'),
      reads('FREchoFilter', 2),
      reads('EtherIPGateAddress', [192, 168, 7, 1]),
    ],
  },
  {
    ...application,
    id: 'default.application-saves-nothing-else',
    clause: 'LoadApplicationDefaults does not store unsaved values of other parameters.',
    place,
    level: 'should',
    steps: [
      write('LocationName', 'stored'),
      save,
      write('LocationName', 'not stored'),
      loadApplication,
      up(),
      ...afterSoftReset,
      reads('LocationName', 'stored'),
    ],
  },
  {
    ...application,
    id: 'default.application-checksum',
    clause: 'MD5Parameters of LFTchecksum moves when LoadApplicationDefaults changes a stored value.',
    place: 'guide: Persistence and checksums',
    names: [...application.names, 'LFTchecksum'],
    steps: [
      ...changedApplication,
      get('LFTchecksum', { status: 0 }, { save: { before: 'data.LFTchecksum.MD5Parameters' } }),
      loadApplication,
      up(),
      get('LFTchecksum', {
        status: 0,
        data: { has: { LFTchecksum: { has: { MD5Parameters: { not: { isSaved: 'before' } } } } } },
      }),
    ],
  },
  {
    ...application,
    id: 'default.application-time',
    clause: 'LoadApplicationDefaults sets LastParaDate and LastParaTime: it saves.',
    place: ours,
    level: 'should',
    names: [...application.names, 'LSPdatetime', 'LastParaDate'],
    steps: [
      write('EnableDetectionHistory', false),
      ...saveWithOtherTime,
      loadApplication,
      up(),
      reads('LastParaDate', '03.02.2031'),
      reads('LastParaTime', '04:05'),
    ],
  },
];

/** What the defaults reset, and what they keep. */
export const defaultArea: Area = {
  name: 'default',
  title: 'Factory and application defaults',
  cases: (subject) =>
    [...applicationCases, ...factoryCases(subject), factoryPasswordCase].map((one) => putBack(one, subject)),
};

/** Puts back all parameters, stored ones too: by a backup, where the release has backups. */
function putBack(one: ConformanceCase, subject: CheckSubject): ConformanceCase {
  if (one.stage !== 'destructive') return one;
  if (!isFrom(subject.release, backupReleases.since)) return { ...one, changes: ['*'] };
  const steps = fileStepsFor(subject);
  const { before, after } = aroundBackups(steps);
  return {
    ...one,
    names: [...(one.names ?? []), 'parameterbackup'],
    steps: [...before, create, steps.download({ http: 200 }, { keep: 'parameters before' }), ...one.steps],
    cleanup: [
      ...(one.cleanup ?? []),
      up(),
      ...steps.open,
      steps.upload({ http: 200 }, { file: { saved: 'parameters before' } }),
      restore,
      up(),
      ...after,
    ],
  };
}
