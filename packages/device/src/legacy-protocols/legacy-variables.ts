import {
  array,
  boolean,
  dateAndSystemTime,
  enumeration,
  fieldEvaluation,
  integer,
  status,
  string,
  struct,
} from '@azimuth/model';
import { type LegacyName, legacyMethod, legacyVariable } from './legacy-name.js';
import { scanConfig, scanConfigOf } from './output-range.js';

const { DeviceStatus, temperatureAlarmStatus } = status.members;

/** The states of STlms. */
const LaserState = { initialisation: 1, idle: 3, ready: 6, measurement: 7 } as const;

const laserStatus = struct({
  state: integer('uint16'),
  /** Is it too hot or too cold? */
  outsideTemperatureRange: boolean(),
  /** HH:MM:SS and DD.MM.YYYY on the device clock. */
  time: string({ maxLength: 10 }),
  date: string({ maxLength: 10 }),
  led1: integer('uint32'),
  led2: integer('uint32'),
  led3: integer('uint32'),
});

/** STlms: whether the scanner measures, the temperature alarm, time and date; the LEDs are always 0. */
export const stLms: LegacyName = legacyVariable(laserStatus, {
  from: [DeviceStatus],
  read: (device) => {
    const now = device.read(dateAndSystemTime.members.LSPdatetime);
    const isStarting = device.conditions.holds('DS_Startup') || device.conditions.holds('DS_ServiceMode');
    const isMeasuring = device.features.measuring.state === 'measuring';
    return {
      state: isStarting ? LaserState.initialisation : isMeasuring ? LaserState.measurement : LaserState.idle,
      outsideTemperatureRange:
        temperatureAlarmStatus.isIn(device.edition) && device.read(temperatureAlarmStatus),
      time: [now.usiHour, now.usiMinute, now.usiSec].map(twoDigits).join(':'),
      date: `${twoDigits(now.usiDay)}.${twoDigits(now.usiMonth)}.${now.uiYear}`,
      led1: 0,
      led2: 0,
      led3: 0,
    };
  },
});

/** field000 to field047: one byte, 0. The layout of older devices cannot describe the fields of this one. */
export const noField: LegacyName = legacyVariable(integer('uint8'), { read: () => 0 });

/** EIHstCola: whether interface B takes binary telegrams. Both interfaces always take both, so a write has no effect. */
export const hostDialect: LegacyName = legacyVariable(enumeration({ text: 0, binary: 1 }, 1), {
  read: () => 1,
  level: 'AuthorizedClient',
  write: () => undefined,
});

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/*
 * Names that drivers send to related devices, in the layout that public test servers, dissectors or clients of such
 * devices know. They have no effect.
 */

const { FieldEvaluationResult } = fieldEvaluation.members;

/** IsSystemReady: always 1, because there are no sessions while the scanner is not ready. */
export const isSystemReady: LegacyName = { kind: 'method', response: boolean(), call: () => true };

/** ECRChangeArr, changes of monitored fields: it can be switched on, but only LFErec sends them. */
export const monitoredFieldChanges: LegacyName = { kind: 'event' };

/** The result of a request for another scan configuration, as in related devices. */
const ScanConfigStatus = { ok: 0, wrongFrequency: 1, wrongResolution: 2, otherError: 5 } as const;

/**
 * mLMPsetscancfg: answers the scan configuration of the performance profile, which stays in force, and whether it is the
 * requested one. Angles are not compared: they are set by LMPoutputRange, and drivers send 0 here.
 */
export const setScanConfig: LegacyName = legacyMethod({
  request: scanConfig,
  response: struct({
    status: integer('uint8'),
    frequency: integer('uint32'),
    count: integer('uint16'),
    step: integer('uint32'),
    start: integer('int32'),
    stop: integer('int32'),
  }),
  level: 'AuthorizedClient',
  call: ({ parameters }, { frequency, step }) => {
    const inForce = scanConfigOf(parameters);
    const resolution = step === inForce.step ? ScanConfigStatus.ok : ScanConfigStatus.wrongResolution;
    const status = frequency === inForce.frequency ? resolution : ScanConfigStatus.wrongFrequency;
    return { status, ...inForce };
  },
});

/** mCLsetscancfglist: the index into a list that related devices have and this one does not. */
export const setScanConfigOfList: LegacyName = legacyMethod({
  request: integer('uint8'),
  response: integer('uint8'),
  level: 'AuthorizedClient',
  call: () => ScanConfigStatus.otherError,
});

const application = struct({ name: string({ minLength: 4, maxLength: 4 }), isActive: boolean() });

/** SetActiveApplications: field evaluation and ranging are both always active. */
export const activeApplications: LegacyName = legacyVariable(array(application, { maxItems: 8 }), {
  read: ({ edition }) => [
    { name: 'FEVL', isActive: FieldEvaluationResult.isIn(edition) },
    { name: 'RANG', isActive: true },
  ],
  level: 'AuthorizedClient',
  write: () => undefined,
});

/** ScanLayerFilter: the only layer, always on. */
export const scanLayerFilter: LegacyName = legacyVariable(array(boolean(), { maxItems: 16 }), {
  read: () => [true],
  level: 'AuthorizedClient',
  write: () => undefined,
});
