import {
  contaminationIndication,
  cybersecurity,
  dateAndSystemTime,
  device,
  operatingData,
  status,
  type Variable,
} from '@azimuth/model';

const { DeviceIdent, LocationName, SerialNumber } = device.members;
const { DeviceStatus, SCdevicestate, temperatureAlarmStatus } = status.members;
const { ContaminationConfig, ContaminationData, ContaminationResult } = contaminationIndication.members;
const { CurrentTempDev, DailyOpHours, PowerOnCnt, LastParaDate, LastParaTime } = operatingData.members;
const { LSPdatetime, TSCRole, TSCTCtimezone } = dateAndSystemTime.members;
const { certificateBundleInfo } = cybersecurity.members;

/** A variable that looks ask for. */
export interface Asked {
  readonly variable: Variable<unknown>;
  /** Seconds after which it is asked for again; 0: at each look. */
  readonly every: number;
  /** True if it is followed as an event, by scanners that have events. Then it is asked for only once a minute. */
  readonly isEvent?: boolean;
}

/** Seconds after which a value that comes as an event is checked by a question. */
export const eventCheck = 60;

/**
 * What looks ask for, in this order. The serial number comes first: the values of another scanner must not be taken for
 * those of this one.
 */
export const asked: readonly Asked[] = [
  { variable: SerialNumber, every: 0 },
  { variable: DeviceIdent, every: 60 },
  { variable: LocationName, every: 60 },
  { variable: DeviceStatus, every: 0, isEvent: true },
  { variable: SCdevicestate, every: 0, isEvent: true },
  { variable: ContaminationConfig, every: 60 },
  { variable: ContaminationData, every: 0, isEvent: true },
  { variable: ContaminationResult, every: 0, isEvent: true },
  { variable: temperatureAlarmStatus, every: 0, isEvent: true },
  { variable: CurrentTempDev, every: 0 },
  { variable: PowerOnCnt, every: 0 },
  { variable: DailyOpHours, every: 0 },
  { variable: LastParaDate, every: 0 },
  { variable: LastParaTime, every: 0 },
  { variable: TSCRole, every: 60 },
  { variable: TSCTCtimezone, every: 60 },
  { variable: LSPdatetime, every: 60 },
  { variable: certificateBundleInfo, every: 3600 },
];

/** The variables that are followed as events. */
export const followed: readonly Variable<unknown>[] = asked.flatMap(({ variable, isEvent }) =>
  isEvent === true ? [variable] : [],
);
