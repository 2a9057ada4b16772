import {
  boolean,
  dateAndSystemTime,
  enumeration,
  IOState,
  inputsAndOutputs,
  integer,
  status,
  string,
  struct,
} from '@azimuth/model';
import { type Customary, customary } from './customary.js';

const { InputState } = inputsAndOutputs.members;
const { DeviceStatus, temperatureAlarmStatus } = status.members;

/** What STlms says of a scanner. */
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

/** STlms: whether it measures, the temperature alarm, time and date; the lamps are always 0. */
export const stLms: Customary = customary(laserStatus, {
  from: [DeviceStatus],
  read: (device) => {
    const now = device.read(dateAndSystemTime.members.LSPdatetime);
    const isStarting = device.conditions.holds('DS_Startup') || device.conditions.holds('DS_ServiceMode');
    const isMeasuring = device.measuring.state === 'measuring';
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

const inputs = struct({
  version: integer('uint16'),
  counter: integer('uint32'),
  input1: integer('uint8'),
  input2: integer('uint8'),
  input3: integer('uint8'),
  input4: integer('uint8'),
  hasTime: integer('uint16'),
});

/** LIDinputstate: the first four ports as inputs, 1 for a high level, without a time. */
export const lidInputState: Customary = customary(inputs, {
  from: [InputState],
  read: (device) => {
    const { uiVersionNumber, udiSystCount, aDigitalIn } = device.read(InputState);
    const level = (port: number) => Number(aDigitalIn[port]?.IOState.eIOState === IOState.IOS_HIGH);
    return {
      version: uiVersionNumber,
      counter: udiSystCount,
      input1: level(0),
      input2: level(1),
      input3: level(2),
      input4: level(3),
      hasTime: 0,
    };
  },
});

/** field000 to field047: nothing, in one byte. What a field is cannot be told as older devices do. */
export const noField: Customary = customary(integer('uint8'), { read: () => 0 });

/**
 * EIHstCola: whether interface B takes binary telegrams. Both interfaces take both forms at any time, so that what is
 * written changes nothing.
 */
export const hostDialect: Customary = customary(enumeration({ text: 0, binary: 1 }, 1), {
  read: () => 1,
  level: 'AuthorizedClient',
  write: () => undefined,
});

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
