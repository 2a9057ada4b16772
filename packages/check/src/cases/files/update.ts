import { releases } from '@azimuth/model';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { call, type FileContent, get, post, type Step, until, up, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { type FileSteps, fileStepsFor, tokenHeader, tokenReleases } from './token-steps.js';

const place = 'specification: Firmware update';
const ours = 'Azimuth: firmware';

const common = { level: 'must', stage: 'write', names: ['update'] } as const;
const installing = {
  level: 'must',
  stage: 'destructive',
  names: ['update', 'RunFirmwareUpdate', 'UpdateState'],
} as const;

const anything: FileContent = { text: 'this is no firmware' };
const run = call('RunFirmwareUpdate', undefined, { status: 0 });
const state = (value: number) =>
  get('UpdateState', { status: 0, data: { has: { UpdateState: { is: value } } } });

function uploadCases(steps: FileSteps): readonly ConformanceCase[] {
  return [
    {
      ...common,
      id: 'file.update-upload',
      clause: 'PUT /update answers HTTP 200 when the file is transferred; its content is checked later.',
      place,
      steps: [...steps.open, steps.transfer('PUT', 'update', { http: 200 }, { file: anything })],
    },
    {
      ...common,
      id: 'file.update-upload-answer',
      clause: 'The body of the answer to PUT /update is JSON with header.status 0.',
      place: ours,
      level: 'should',
      steps: [...steps.open, steps.transfer('PUT', 'update', { http: 200, status: 0 }, { file: anything })],
    },
    {
      ...common,
      id: 'file.update-over-100-mb',
      clause: 'PUT /update refuses a file of more than 100 MB with HTTP 400 or 413, before it is sent.',
      place: 'specification: Limits',
      steps: [
        ...steps.open,
        steps.transfer('PUT', 'update', { http: [400, 413] }, { announced: 100 * 1024 * 1024 + 1 }),
      ],
    },
    {
      ...common,
      id: 'file.update-of-100-mb',
      clause: 'PUT /update accepts a file of 100 MB.',
      place: 'specification: Limits',
      steps: [...steps.open, steps.transfer('PUT', 'update', 'pending', { announced: 100_000_000 })],
    },
    {
      ...common,
      id: 'file.update-of-100-mib',
      clause: 'A MB of the limit of firmware files has 1,048,576 bytes.',
      place: ours,
      level: 'should',
      steps: [...steps.open, steps.transfer('PUT', 'update', 'pending', { announced: 100 * 1024 * 1024 })],
    },
    {
      ...common,
      id: 'file.update-by-get',
      clause: 'GET /update answers status 5: the method of HTTP is wrong.',
      place: 'specification: Errors, status 5',
      stage: 'read',
      steps: [get('update', { status: 5 })],
    },
    {
      ...common,
      id: 'file.update-run-without-login',
      clause: 'RunFirmwareUpdate without a login answers status 4.',
      place: 'specification: Errors, status 4',
      steps: [post('RunFirmwareUpdate', { status: 4 }, { body: {} })],
    },
    {
      ...common,
      id: 'file.update-run-with-token',
      clause: 'RunFirmwareUpdate needs a login by challenge: a session token does not replace it.',
      place: 'guide: Firmware update',
      releases: tokenReleases,
      steps: [...steps.open, post('RunFirmwareUpdate', { status: 4 }, { headers: tokenHeader(), body: {} })],
    },
  ];
}

function refusedCases(steps: FileSteps, { release }: CheckSubject): readonly ConformanceCase[] {
  const refused = (
    one: Pick<ConformanceCase, 'id' | 'clause'> & Partial<ConformanceCase>,
    file: FileContent,
  ): ConformanceCase => ({
    ...installing,
    place: 'family: states of a firmware update',
    ...one,
    steps: [
      get('FirmwareVersion', { status: 0 }, { save: { version: 'data.FirmwareVersion' } }),
      ...steps.open,
      steps.transfer('PUT', 'update', { http: 200 }, { file }),
      run,
      until(state(3), 120),
      get('FirmwareVersion', { status: 0, data: { has: { FirmwareVersion: { isSaved: 'version' } } } }),
    ],
  });
  const firmware = (facts: { readonly deviceType?: string; readonly release?: string }): FileContent => ({
    firmware: { deviceType: 'picoScan1xx', release, ...facts },
  });
  return [
    refused(
      {
        id: 'file.update-no-firmware',
        clause: 'A file that is no firmware is not installed: UpdateState becomes 3, and the version stays.',
      },
      anything,
    ),
    refused(
      {
        id: 'file.update-unsigned',
        clause:
          'From release 2.2.0 on, a firmware file without a signature is not installed: UpdateState becomes 3.',
        place: 'specification: Versioning',
        releases: { since: '2.2.0' },
      },
      firmware({}),
    ),
    refused(
      {
        id: 'file.update-of-another-type',
        clause: 'The firmware of another device type is not installed: UpdateState becomes 3.',
        place: 'guide: Firmware update',
        releases: { until: '2.2.0' },
      },
      firmware({ deviceType: 'otherScan' }),
    ),
    refused(
      {
        id: 'file.update-to-older-release',
        clause: 'A downgrade is impossible: an older firmware is not installed, and UpdateState becomes 3.',
        place: 'specification: Versioning',
        releases: { since: '1.5.0', until: '2.2.0' },
      },
      firmware({ release: releases[releases.indexOf(release) - 1] ?? release }),
    ),
    refused(
      {
        id: 'file.update-changed-firmware',
        clause: 'A firmware file in which a bit was changed is not installed: UpdateState becomes 3.',
        place: 'specification: Versioning',
      },
      { given: 'firmware', edits: [{ flip: -100 }] },
    ),
    refused(
      {
        id: 'file.update-changed-signature',
        clause: 'A firmware file whose signature was changed is not installed: UpdateState becomes 3.',
        place: 'specification: Versioning',
        releases: { since: '2.2.0' },
      },
      { given: 'firmware', edits: [{ flip: -1 }] },
    ),
    refused(
      {
        id: 'file.update-cut-firmware',
        clause: 'A firmware file that is cut off is not installed: UpdateState becomes 3.',
      },
      { given: 'firmware', edits: [{ cut: 150 }] },
    ),
    {
      ...refused(
        {
          id: 'file.update-error-is-over',
          clause: 'After an update that has failed, DeviceStatus is the same as before.',
          place: ours,
          level: 'should',
        },
        anything,
      ),
      steps: [
        get('DeviceStatus', { status: 0 }, { save: { before: 'data.DeviceStatus' } }),
        ...steps.open,
        steps.transfer('PUT', 'update', { http: 200 }, { file: anything }),
        run,
        until(state(3), 120),
        get('DeviceStatus', { status: 0, data: { has: { DeviceStatus: { isSaved: 'before' } } } }),
      ],
    },
    {
      ...installing,
      id: 'file.update-error-until-boot',
      clause: 'UpdateState is 0 after a reboot.',
      place: ours,
      level: 'should',
      steps: [
        ...steps.open,
        steps.transfer('PUT', 'update', { http: 200 }, { file: anything }),
        run,
        until(state(3), 120),
        call('SoftReset', { ProcessorNbr: 0 }),
        { kind: 'down', withinSeconds: 10 },
        up(),
        state(0),
      ],
    },
  ];
}

function installingCases(steps: FileSteps): readonly ConformanceCase[] {
  const installed = (
    one: Pick<ConformanceCase, 'id' | 'clause'> & Partial<ConformanceCase>,
    before: readonly Step[],
    after: readonly Step[],
    meanwhile: readonly Step[] = [],
  ): ConformanceCase => ({
    ...installing,
    place,
    ...one,
    steps: [
      ...before,
      ...steps.open,
      steps.transfer('PUT', 'update', { http: 200 }, { file: { given: 'firmware' } }),
      run,
      ...meanwhile,
      until(state(2), 600, 1),
      { kind: 'down', withinSeconds: 60 },
      up(600),
      ...after,
    ],
  });
  return [
    installed(
      {
        id: 'file.update',
        clause:
          'A firmware file is installed: UpdateState becomes 2, the scanner reboots by itself, and then UpdateState is 0.',
      },
      [],
      [until(state(0), 60)],
    ),
    installed(
      {
        id: 'file.update-started',
        clause: 'While firmware is installed, UpdateState is 1 and DeviceStatus 2 (service mode).',
        place: 'family: states of a firmware update',
        level: 'should',
      },
      [],
      [],
      [
        until(state(1), 10, 0.05),
        get('DeviceStatus', { status: 0, data: { has: { DeviceStatus: { is: 2 } } } }),
      ],
    ),
    installed(
      {
        id: 'file.update-keeps-parameters',
        clause: 'A firmware update keeps the stored parameters.',
        place: 'specification: Versioning',
      },
      [write('LocationName', 'kept by the update'), call('WriteEeprom', undefined)],
      [get('LocationName', { status: 0, data: { has: { LocationName: { is: 'kept by the update' } } } })],
    ),
    installed(
      {
        id: 'file.update-takes-no-second-file',
        clause: 'While firmware is installed, PUT /update answers HTTP 503.',
        place: ours,
        level: 'should',
      },
      [],
      [],
      [steps.transfer('PUT', 'update', { http: 503 }, { file: anything })],
    ),
  ];
}

export function updateCases(subject: CheckSubject): readonly ConformanceCase[] {
  const steps = fileStepsFor(subject);
  return [...uploadCases(steps), ...refusedCases(steps, subject), ...installingCases(steps)];
}
