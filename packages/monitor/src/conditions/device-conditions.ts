import { contaminationIndication, DeviceStatus, SCdevicestate, status as statusGroup } from '@azimuth/model';
import { valueIn } from '../state/derived-values.js';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';
import type { ConditionKind } from './condition-kind.js';
import { contaminationConditions } from './contamination-conditions.js';
import { isIn, whileKnown, whole } from './detected.js';

const { ContaminationResult } = contaminationIndication.members;
const { members: statuses } = statusGroup;

/** °C below the limit at which a scanner is no longer too warm. */
const hysteresis = 2;

/** Conditions about whether the scanner itself is well. */
export const deviceConditions: readonly ConditionKind[] = [
  {
    id: 'device-status',
    severity: 'error',
    title: 'Reports a fault',
    about: 'DeviceStatus is a fault. Fetch a diagnostic archive; switch power off and on.',
    beginsAfter: 0,
    endsAfter: 10,
    detect: whileKnown(({ values }) => {
      const status = valueIn(values, statuses.DeviceStatus);
      if (status === undefined) return undefined;
      return whole(status > DeviceStatus.DS_ServiceRequired, `DeviceStatus is ${statusName(status)}`);
    }),
  },
  {
    id: 'service-required',
    severity: 'error',
    title: 'Needs service',
    about:
      'Service is required for another reason than the front screen. The guide of the scanner names the reasons.',
    // Status and front screen are two answers: for a moment, one of them may be older than the other.
    beginsAfter: 10,
    endsAfter: 10,
    detect: whileKnown(({ values }) => {
      const status = valueIn(values, statuses.DeviceStatus);
      if (status === undefined) return undefined;
      if (isDirty(values, 'bErrorActive') || status > DeviceStatus.DS_ServiceRequired) return [];
      if (status === DeviceStatus.DS_ServiceRequired)
        return whole(true, `DeviceStatus is ${statusName(status)}`);
      return whole(valueIn(values, statuses.SCdevicestate) === SCdevicestate.Error, 'SCdevicestate is Error');
    }),
  },
  {
    id: 'service',
    severity: 'warning',
    title: 'Asks for service',
    about:
      'Service is recommended for another reason than the front screen. The guide of the scanner names the reasons.',
    beginsAfter: 10,
    endsAfter: 10,
    detect: whileKnown(({ values }) => {
      const status = valueIn(values, statuses.DeviceStatus);
      if (status === undefined) return undefined;
      const asks = status === DeviceStatus.DS_ServiceRecommended && !isDirty(values, 'bWarningActive');
      return whole(asks, `DeviceStatus is ${statusName(status)}`);
    }),
  },
  {
    id: 'not-measuring',
    severity: 'error',
    title: 'Does not measure',
    about: 'Measuring was switched off. Switch it on with mStartMeasure.',
    beginsAfter: 30,
    endsAfter: 0,
    detect: whileKnown(({ values }) => {
      const status = values.get('DeviceStatus');
      if (typeof status !== 'number') return undefined;
      return whole(status === DeviceStatus.DS_SuspendedOperation, 'measuring is switched off');
    }),
  },
  {
    id: 'not-ready',
    severity: 'error',
    title: 'Does not get ready',
    about:
      'The scanner has been starting, or writing firmware, for ten minutes. Switch its power off and on.',
    beginsAfter: 600,
    endsAfter: 0,
    detect: whileKnown(({ values }) => {
      const status = values.get('DeviceStatus');
      if (typeof status !== 'number') return undefined;
      return whole(status < DeviceStatus.DS_NormalOperation, `DeviceStatus is ${statusName(status)}`);
    }),
  },
  {
    id: 'temperature',
    severity: 'warning',
    title: 'Is too warm',
    about:
      'The temperature inside the scanner is above its limit, or the scanner raises its alarm. Give it air or shade.',
    beginsAfter: 60,
    endsAfter: 60,
    detect: whileKnown((snapshot, { temperature }) => {
      const { values } = snapshot;
      const degrees = values.get('CurrentTempDev');
      if (values.get('temperatureAlarmStatus') === true)
        return whole(true, 'the scanner raises its temperature alarm');
      if (typeof degrees !== 'number') return undefined;
      const limit = isIn(snapshot, 'temperature') ? temperature - hysteresis : temperature;
      return whole(degrees > limit, `${degrees.toFixed(0)} °C inside, the limit is ${temperature} °C`);
    }),
  },
  ...contaminationConditions,
];

/** True if the front screen is the reason of a status. Its own condition reports it then. */
function isDirty(values: ScannerSnapshot['values'], member: 'bErrorActive' | 'bWarningActive'): boolean {
  return valueIn(values, ContaminationResult)?.[member] === true;
}

function statusName(status: number): string {
  const entry = Object.entries(DeviceStatus).find(([, value]) => value === status);
  return entry === undefined ? String(status) : entry[0];
}
