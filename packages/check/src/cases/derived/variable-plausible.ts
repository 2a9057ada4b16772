import type { Matcher } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { get } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';

/** What a value of a scanner that runs can be, where its type allows more. */
interface Plausible {
  readonly value: Matcher;
  readonly clause: string;
  readonly place: string;
}

const description = 'specification: Device identity and status variables';

const plausible: Readonly<Record<string, Plausible>> = {
  DeviceIdent: {
    value: { has: { Name: { pattern: '^\\S+$' }, Version: { pattern: '^\\d+\\.\\d+\\.\\d+\\.\\d+\\w*$' } } },
    clause: 'DeviceIdent has a name, and a version of four numbers.',
    place: 'guide: telegrams, DeviceIdent',
  },
  SerialNumber: {
    value: { pattern: '^[0-9A-Za-z]{1,9}$' },
    clause: 'SerialNumber has letters and digits, and is not empty.',
    place: description,
  },
  FirmwareVersion: {
    value: { pattern: '^\\S.*\\d' },
    clause: 'FirmwareVersion is not empty, and has a number.',
    place: description,
  },
  OrderNumber: { value: { pattern: '^\\S+$' }, clause: 'OrderNumber is not empty.', place: description },
  DeviceType: { value: { pattern: '^\\S+$' }, clause: 'DeviceType is not empty.', place: description },
  EtherMACAddress: {
    value: { not: { is: [0, 0, 0, 0, 0, 0] } },
    clause: 'EtherMACAddress is an address, not zeros.',
    place: description,
  },
  LSPdatetime: {
    value: {
      has: {
        uiYear: { from: 1970, to: 2105 },
        usiMonth: { from: 1, to: 12 },
        usiDay: { from: 1, to: 31 },
        usiHour: { from: 0, to: 23 },
      },
    },
    clause: 'LSPdatetime is a day of a calendar: months and days count from 1.',
    place: 'guide: telegrams, LSPsetdatetime',
  },
  CurrentTempDev: {
    value: { from: -40, to: 125 },
    clause: 'CurrentTempDev is a temperature in °C at which electronics work.',
    place: 'guide: telegrams, OPcurtmpdev',
  },
};

/** Cases about values that the scanner computes, or that it is made with. */
export function plausibleCases(subject: CheckSubject): readonly ConformanceCase[] {
  return Object.entries(plausible)
    .filter(([name]) => subject.has(name))
    .map(([name, { value, clause, place }]) => ({
      id: `variable.${name}.plausible`,
      clause,
      place,
      level: 'must',
      stage: 'read',
      names: [name],
      steps: [get(name, { status: 0, data: { has: { [name]: value } } })],
    }));
}
