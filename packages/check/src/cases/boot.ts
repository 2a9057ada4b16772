import { call, get, pause, post, rebooted, type Step, transfer, until, up, write } from '../steps/index.js';
import { wiresOfBoots } from './boot-wires.js';
import type { Area, ConformanceCase } from './case.js';
import { newToken, tokenHeader } from './files/token-steps.js';
import {
  afterReboot,
  afterSoftReset,
  clockAt,
  reads,
  remember,
  softReset,
  stillReads,
} from './saving-steps.js';

const variables = 'specification: Device identity and status variables';

const common = { level: 'must', stage: 'reboot' } as const;

/** Longest time of a boot in s. */
const longestBoot = 20;
const bootOf = (request: Step): readonly Step[] => [
  request,
  { kind: 'down', withinSeconds: 10 },
  up(longestBoot),
];

const reboots: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'boot.soft-reset',
    clause: 'SoftReset answers status 0, the scanner goes down, and it is up again within 20 s.',
    place: 'guide: Status',
    steps: bootOf(softReset),
  },
  {
    ...common,
    id: 'boot.reboot-device',
    clause: 'RebootDevice answers status 0, the scanner goes down, and it is up again within 20 s.',
    place: 'guide: Status',
    steps: bootOf(call('RebootDevice', undefined, { status: 0 })),
  },
  {
    ...common,
    id: 'boot.soft-reset-of-a-processor',
    clause: 'SoftReset reboots the device, whatever ProcessorNbr is.',
    place: 'Azimuth: reboots',
    level: 'should',
    steps: rebooted(call('SoftReset', { ProcessorNbr: 1 }, { status: 0 })),
  },
  {
    ...common,
    id: 'boot.soft-reset-needs-processor',
    clause: 'SoftReset without ProcessorNbr answers status 1, and does not reboot.',
    place: 'specification: Errors, status 1',
    steps: [call('SoftReset', {}, { status: 1 }), pause(1), get('SerialNumber', { status: 0 })],
  },
  ...['SoftReset', 'RebootDevice'].map(
    (method): ConformanceCase => ({
      ...common,
      id: `boot.${method}-without-login`,
      clause: `${method} without a login answers status 4, and does not reboot.`,
      place: 'specification: Errors, status 4',
      steps: [
        post(method, { status: 4 }, { data: { ProcessorNbr: 0 } }),
        pause(1),
        get('SerialNumber', { status: 0 }),
      ],
    }),
  ),
];

const counters: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'boot.power-on-count',
    clause: 'PowerOnCnt counts power cycles: SoftReset and RebootDevice do not change it.',
    place: 'Azimuth: reboots',
    level: 'should',
    names: ['PowerOnCnt'],
    steps: [
      remember('PowerOnCnt'),
      ...afterSoftReset,
      stillReads('PowerOnCnt'),
      ...afterReboot,
      stillReads('PowerOnCnt'),
    ],
  },
  {
    ...common,
    id: 'boot.power-on-count-not-zero',
    clause: 'PowerOnCnt is at least 1 in a device that runs.',
    place: variables,
    stage: 'read',
    names: ['PowerOnCnt'],
    steps: [get('PowerOnCnt', { status: 0, data: { has: { PowerOnCnt: { from: 1, to: 2 ** 32 - 1 } } } })],
  },
  {
    ...common,
    id: 'boot.daily-hours',
    clause: 'DailyOpHours counts hours: it grows by 0.005 in 18 s.',
    place: variables,
    stage: 'read',
    names: ['DailyOpHours'],
    steps: [
      remember('DailyOpHours'),
      pause(18),
      get('DailyOpHours', {
        status: 0,
        data: { has: { DailyOpHours: { minusSaved: 'DailyOpHours', from: 0.004, to: 0.008 } } },
      }),
    ],
  },
  {
    ...common,
    id: 'boot.daily-hours-of-six-minutes',
    clause: 'DailyOpHours has a hundredth of its hours right: it grows by 0.1 in 6 minutes.',
    place: variables,
    stage: 'read',
    names: ['DailyOpHours'],
    steps: [
      remember('DailyOpHours'),
      pause(360),
      get('DailyOpHours', {
        status: 0,
        data: { has: { DailyOpHours: { minusSaved: 'DailyOpHours', from: 0.099, to: 0.102 } } },
      }),
    ],
  },
  {
    ...common,
    id: 'boot.daily-hours-of-reboots',
    clause: 'DailyOpHours counts from power-on: a reboot does not set it back.',
    place: 'Azimuth: reboots',
    level: 'should',
    names: ['DailyOpHours'],
    steps: [
      pause(20),
      remember('DailyOpHours'),
      ...afterSoftReset,
      get('DailyOpHours', {
        status: 0,
        data: { has: { DailyOpHours: { minusSaved: 'DailyOpHours', from: 0, to: 0.1 } } },
      }),
    ],
  },
  {
    ...common,
    id: 'boot.operating-hours',
    clause: 'OpHours counts tenths of an hour: one more in 6 minutes.',
    place: variables,
    stage: 'read',
    names: ['OpHours'],
    steps: [
      remember('OpHours'),
      pause(360),
      get('OpHours', { status: 0, data: { has: { OpHours: { minusSaved: 'OpHours', from: 1, to: 2 } } } }),
    ],
  },
  {
    ...common,
    id: 'boot.operating-hours-of-reboots',
    clause: 'OpHours never goes back: a reboot keeps it.',
    place: variables,
    names: ['OpHours'],
    steps: [
      remember('OpHours'),
      ...afterSoftReset,
      get('OpHours', { status: 0, data: { has: { OpHours: { minusSaved: 'OpHours', from: 0, to: 1 } } } }),
    ],
  },
];

const states: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'boot.device-status',
    clause: 'After a boot, DeviceStatus becomes what it was before.',
    place: 'Azimuth: status',
    level: 'should',
    names: ['DeviceStatus'],
    steps: [
      remember('DeviceStatus'),
      ...afterSoftReset,
      until(
        get('DeviceStatus', { status: 0, data: { has: { DeviceStatus: { isSaved: 'DeviceStatus' } } } }),
        30,
      ),
    ],
  },
  {
    ...common,
    id: 'boot.device-state',
    clause: 'After a boot, SCdevicestate becomes what it was before.',
    place: 'Azimuth: status',
    level: 'should',
    names: ['SCdevicestate'],
    steps: [
      remember('SCdevicestate'),
      ...afterSoftReset,
      until(
        get('SCdevicestate', { status: 0, data: { has: { SCdevicestate: { isSaved: 'SCdevicestate' } } } }),
        30,
      ),
    ],
  },
  {
    ...common,
    id: 'boot.measures-again',
    clause:
      'A scanner that was stopped by mStopMeasure measures again after a boot, if AutoStartMeasure is on.',
    place: 'Azimuth: reboots',
    level: 'should',
    names: ['mStopMeasure', 'AutoStartMeasure', 'DeviceStatus'],
    steps: [
      write('AutoStartMeasure', true),
      call('WriteEeprom', undefined),
      call('mStopMeasure', undefined, { status: 0 }),
      until(reads('DeviceStatus', 4), 10),
      ...afterSoftReset,
      until(get('DeviceStatus', { status: 0, data: { has: { DeviceStatus: { not: { is: 4 } } } } }), 30),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  },
  {
    ...common,
    id: 'boot.challenge',
    clause: 'A challenge from before a boot is not accepted: status 4 or 10.',
    place: 'Azimuth: reboots',
    level: 'should',
    steps: [
      post('getChallenge', { status: 0 }, { data: { user: 'Service' }, save: { challenge: 'challenge' } }),
      // A login with another challenge of the same level does not end it.
      ...afterSoftReset,
      call(
        'checkCredentials',
        undefined,
        { status: [4, 10] },
        { login: { level: 'Service', challenge: 'challenge' } },
      ),
    ],
  },
  {
    ...common,
    id: 'boot.session-token',
    clause: 'A session token from before a boot is not accepted: HTTP 403.',
    place: 'Azimuth: reboots',
    level: 'should',
    names: ['CreateSessionToken'],
    steps: [
      newToken,
      ...afterSoftReset,
      transfer('GET', 'parameterbackup', { http: 403 }, { headers: tokenHeader() }),
    ],
  },
  {
    ...common,
    id: 'boot.clock',
    clause: 'The device clock has no battery: after a boot, it does not show the time that was set before.',
    place: 'guide: Time',
    names: ['LSPdatetime', 'LSPsetdatetime', 'TSCRole'],
    steps: [
      write('TSCRole', 0),
      clockAt(5),
      ...afterSoftReset,
      get('LSPdatetime', {
        status: 0,
        data: { has: { LSPdatetime: { has: { uiYear: { not: { is: 2031 } } } } } },
      }),
    ],
  },
];

/** Reboots: how long they take, and what they change. */
export const bootArea: Area = {
  name: 'boot',
  title: 'Reboots and operating data',
  cases: () => [...reboots, ...counters, ...states, ...wiresOfBoots],
};
