import type { Json } from '../../match/matcher.js';
import { control, type Step, write } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import { endFaults, fault } from '../outside/control-steps.js';
import { comesTo, reads, soon } from '../value-steps.js';

/** Lets the scanner read its thermometer: releases without an alarm need it only then. */
const isRead = reads('CurrentTempDev', { present: true });

const seen = {
  level: 'must',
  stage: 'core',
  place: 'guide: Status',
  names: ['temperatureAlarmStatus', 'temperatureAlarmConfiguration', 'CurrentTempDev'],
  cleanup: [endFaults, control('temperature', { celsius: null }), isRead],
} as const;

/** Sets the temperature inside, in °C. */
function celsius(degrees: number): Step {
  return control('temperature', { celsius: degrees });
}

/** s within which a temperature is read. */
const follows = 2.5;

function thresholds(upperThreshold: number, lowerThreshold: number, status = 0): Step {
  return write('temperatureAlarmConfiguration', { upperThreshold, lowerThreshold } satisfies Json, {
    status,
  });
}

const alarm = (isRaised: boolean) => comesTo('temperatureAlarmStatus', isRaised, follows);

/** Waits until a temperature is read: a reading within half a degree. */
function shows(degrees: number): Step {
  return soon(reads('CurrentTempDev', { from: degrees - 0.5, to: degrees + 0.5 }), follows);
}

const cases: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'temperature.value',
    clause: 'CurrentTempDev is the temperature inside the scanner, in °C, with fractions and below zero.',
    names: ['CurrentTempDev'],
    steps: [celsius(40.25), shows(40.25), celsius(-12), shows(-12)],
  },
  {
    ...seen,
    id: 'temperature.alarm',
    clause: 'The temperature alarm is raised above the upper threshold.',
    steps: [thresholds(55, 50), celsius(30), alarm(false), celsius(56), alarm(true)],
  },
  {
    ...seen,
    id: 'temperature.at-threshold',
    clause: 'At the upper threshold itself, the alarm is not raised yet.',
    level: 'should',
    place: 'Azimuth: temperature',
    steps: [
      thresholds(55, 50),
      celsius(30),
      alarm(false),
      celsius(55),
      shows(55),
      reads('temperatureAlarmStatus', { is: false }),
    ],
  },
  {
    ...seen,
    id: 'temperature.hysteresis',
    clause: 'Between the thresholds, the alarm stays as it was.',
    steps: [
      thresholds(55, 50),
      celsius(30),
      alarm(false),
      celsius(52),
      shows(52),
      reads('temperatureAlarmStatus', { is: false }),
      celsius(60),
      alarm(true),
      celsius(52),
      shows(52),
      reads('temperatureAlarmStatus', { is: true }),
    ],
  },
  {
    ...seen,
    id: 'temperature.alarm-ends',
    clause: 'The alarm ends below the lower threshold.',
    steps: [thresholds(55, 50), celsius(60), alarm(true), celsius(49), alarm(false)],
  },
  {
    ...seen,
    id: 'temperature.other-thresholds',
    clause: 'Other thresholds take effect at once.',
    steps: [
      thresholds(55, 50),
      celsius(40),
      alarm(false),
      thresholds(35, 30),
      reads('temperatureAlarmStatus', { is: true }),
      thresholds(55, 50),
      reads('temperatureAlarmStatus', { is: false }),
    ],
  },
  {
    ...seen,
    id: 'temperature.thresholds-crossed',
    clause: 'A lower threshold that is not below the upper one is refused with status 6.',
    level: 'should',
    place: 'Azimuth: temperature',
    stage: 'write',
    steps: [thresholds(40, 41, 6), thresholds(40, 40, 6), thresholds(41, 40)],
    cleanup: [],
  },
  {
    ...seen,
    id: 'temperature.sensor-fails',
    clause:
      'If the hardware does not tell its temperature, the last one counts, and DeviceStatus is 7 until it does.',
    level: 'should',
    place: 'Azimuth: hardware',
    names: ['CurrentTempDev', 'DeviceStatus'],
    steps: [
      celsius(40),
      shows(40),
      comesTo('DeviceStatus', 3, 1),
      ...fault({ kind: 'hardware-fails', member: 'temperature', how: 'throws' }),
      isRead,
      comesTo('DeviceStatus', 7, follows),
      shows(40),
      endFaults,
      isRead,
      comesTo('DeviceStatus', 3, follows),
    ],
  },
  {
    ...seen,
    id: 'temperature.sensor-wrong',
    clause: 'A temperature that is no number is not used: the last one counts, and DeviceStatus is 7.',
    level: 'should',
    place: 'Azimuth: hardware',
    names: ['CurrentTempDev', 'DeviceStatus'],
    steps: [
      celsius(41),
      shows(41),
      ...fault({ kind: 'hardware-fails', member: 'temperature', how: 'wrong' }),
      isRead,
      comesTo('DeviceStatus', 7, follows),
      shows(41),
    ],
  },
];

/** The temperature inside, and its alarm. */
export const temperatureArea: Area = {
  name: 'temperature',
  title: 'Temperature and its alarm',
  cases: () => cases,
};
