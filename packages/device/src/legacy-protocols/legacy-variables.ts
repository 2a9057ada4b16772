import {
  array,
  boolean,
  dateAndSystemTime,
  enumeration,
  FieldState,
  fieldEvaluation,
  float,
  integer,
  measurementDataOutput,
  status,
  string,
  struct,
} from '@azimuth/model';
import { type LegacyName, legacyMethod, legacyVariable, type Scanner } from './legacy-name.js';
import { legacyBeams, scanConfig, scanConfigOf } from './output-range.js';

const { FieldEvaluationResult } = fieldEvaluation.members;
const { DeviceStatus, temperatureAlarmStatus } = status.members;

/** The states of STlms. */
const LaserState = { initialisation: 1, idle: 3, ready: 6, measurement: 7 } as const;

const laserStatus = struct({
  state: integer('uint16'),
  /** True if it is too hot or too cold. */
  outsideTemperatureRange: boolean(),
  /** HH:MM:SS and DD.MM.YYYY on the device clock. */
  time: string({ maxLength: 10 }),
  date: string({ maxLength: 10 }),
  led1: integer('uint32'),
  led2: integer('uint32'),
  led3: integer('uint32'),
});

/** STlms: measuring, the temperature alarm, time and date. The LEDs are always 0. */
export const stLms: LegacyName = legacyVariable(laserStatus, {
  from: [DeviceStatus],
  read: (device) => {
    const now = device.read(dateAndSystemTime.members.LSPdatetime);
    const isStarting =
      device.features.deviceStatus.conditions.holds('DS_Startup') ||
      device.features.deviceStatus.conditions.holds('DS_ServiceMode');
    const isMeasuring = device.features.measuring.state === 'measuring';
    return {
      state: isStarting ? LaserState.initialisation : isMeasuring ? LaserState.measurement : LaserState.idle,
      outsideTemperatureRange:
        temperatureAlarmStatus.isIn(device.served.edition) && device.read(temperatureAlarmStatus),
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

/**
 * EIHstCola: 1 if interface B accepts binary telegrams. Both interfaces always accept both formats, so a write has no
 * effect.
 */
export const hostDialect: LegacyName = legacyVariable(enumeration({ text: 0, binary: 1 }, 1), {
  read: () => 1,
  level: 'AuthorizedClient',
  write: () => undefined,
});

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/*
 * Names of related devices that drivers send, in the layout of public test servers, dissectors or clients of such
 * devices. They have no effect.
 */

/** IsSystemReady: always 1, because there are no sessions while the scanner is not ready. */
export const isSystemReady: LegacyName = { kind: 'method', response: boolean(), call: () => true };

/** ECRChangeArr, changes of monitored fields: it can be switched on, but only LFErec sends them. */
export const monitoredFieldChanges: LegacyName = { kind: 'event' };

/** The result of a request for another scan configuration, as in related devices. */
const ScanConfigStatus = { ok: 0, wrongFrequency: 1, wrongResolution: 2, otherError: 5 } as const;

/**
 * mLMPsetscancfg: returns the scan configuration of the performance profile, which stays in force, and a flag: it
 * equals the requested one. Angles are not compared: LMPoutputRange sets them, and drivers send 0 here.
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

/** mCLsetscancfglist: the index into a list of related devices that this one does not have. */
export const setScanConfigOfList: LegacyName = legacyMethod({
  request: integer('uint8'),
  response: integer('uint8'),
  level: 'AuthorizedClient',
  call: () => ScanConfigStatus.otherError,
});

const application = struct({ name: string({ minLength: 4, maxLength: 4 }), isActive: boolean() });

/** SetActiveApplications: field evaluation and ranging are both always active. */
export const activeApplications: LegacyName = legacyVariable(array(application, { maxItems: 8 }), {
  read: ({ served }) => [
    { name: 'FEVL', isActive: FieldEvaluationResult.isIn(served.edition) },
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

/** The results of LFErec. */
const ResultCode = { unknown: 0, free: 1, infringed: 2 } as const;

const resultOf: Readonly<Record<number, number>> = {
  [FieldState.FREE]: ResultCode.free,
  [FieldState.DETECTING_INFRINGED]: ResultCode.free,
  [FieldState.INFRINGED]: ResultCode.infringed,
  [FieldState.DETECTING_FREE]: ResultCode.infringed,
};

const fieldResult = struct({
  version: integer('uint16'),
  /** Number from 1, as in evaluations. Drivers subtract 1. */
  index: integer('uint8'),
  /** µs since the scanner came up, modulo 2^32. */
  counter: integer('uint32'),
  distanceScale: float(),
  distanceOffset: float(),
  /** 1/10000 degree, as the next one. */
  angleScale: integer('uint32'),
  angleOffset: integer('int32'),
  result: integer('uint8'),
  reserved: array(integer('uint8'), { minItems: 6, maxItems: 6 }),
  hasTime: integer('uint16'),
});

/** Minimum number of results: drivers interpret an empty list as an error. */
const fewest = 3;

interface Result {
  /** The number of the evaluation. */
  readonly index: number;
  readonly result: number;
}

/** The results of the configured evaluations, and of the first three, configured or not. */
function resultsOf(device: Scanner): readonly Result[] {
  const states = FieldEvaluationResult.isIn(device.served.edition)
    ? device.read(FieldEvaluationResult).EvaluationResultList.map(({ State }) => State)
    : [];
  return Array.from({ length: Math.max(states.length, fewest) }, (_, at) => ({
    index: at + 1,
    state: states[at] ?? FieldState.NOT_CONFIGURED,
  }))
    .filter(({ index, state }) => index <= fewest || state !== FieldState.NOT_CONFIGURED)
    .map(({ index, state }) => ({ index, result: resultOf[state] ?? ResultCode.unknown }));
}

/**
 * LFErec: the results of the evaluations. A changed result causes an event. Counters, which change with every scan, do
 * not.
 */
export const lfeRec: LegacyName = legacyVariable(array(fieldResult, { maxItems: 48 }), {
  from: [FieldEvaluationResult],
  eventPart: (device) =>
    resultsOf(device)
      .map(({ index, result }) => `${index}:${result}`)
      .join(),
  read: (device) => {
    const { step, start } = legacyBeams(device.parameters);
    const counter = Math.floor(device.features.measuring.microseconds()) % 2 ** 32;
    return resultsOf(device).map(({ index, result }) => ({
      version: 1,
      index,
      counter,
      distanceScale: 1,
      distanceOffset: 0,
      angleScale: step,
      angleOffset: start,
      result,
      reserved: [0, 0, 0, 0, 0, 0],
      hasTime: 0,
    }));
  },
});

const { ScanDataConfig } = measurementDataOutput.members;

/** Thirteen bytes. Reserved members have a meaning on other families, whose clients write them. */
const config = struct({
  reserved1: integer('uint8'),
  reserved2: integer('uint8'),
  remission: integer('uint8'),
  reserved3: integer('uint8'),
  reserved4: integer('uint8'),
  encoder: integer('uint8'),
  encoderHigh: integer('uint8'),
  reserved5: boolean(),
  deviceName: boolean(),
  reserved6: boolean(),
  time: boolean(),
  reserved7: integer('uint16', { initial: 1 }),
});

/**
 * LMDscandatacfg: ScanDataConfig under its older name. Reserved members always have their factory values, and a write
 * of them has no effect. Below release 2.3.1, which has no ScanDataConfig, it is read-only and describes the telegrams.
 */
export const lmdScanDataConfig: LegacyName = legacyVariable(config, {
  from: [ScanDataConfig],
  read: (device) => {
    const it = device.read(ScanDataConfig);
    return {
      ...config.initial,
      remission: Number(it.RemDataConfig.bEnable),
      encoder: Number(it.EnableEncoderBlock),
      deviceName: it.bEnableDeviceName,
      time: it.bEnableTimeBlock,
    };
  },
  level: 'AuthorizedClient',
  isWritable: (edition) => ScanDataConfig.isIn(edition),
  write: (device, written) => {
    const before = device.read(ScanDataConfig);
    return device.parameters.change((change) =>
      change.set(ScanDataConfig, {
        ...before,
        RemDataConfig: { ...before.RemDataConfig, bEnable: (written.remission & 1) === 1 },
        EnableEncoderBlock: written.encoder !== 0 || written.encoderHigh !== 0,
        bEnableDeviceName: written.deviceName,
        bEnableTimeBlock: written.time,
      }),
    );
  },
});
