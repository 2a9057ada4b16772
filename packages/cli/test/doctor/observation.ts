import { allVariables, device, extensionVariables, status } from '@azimuth/model';
import { allChecks } from '../../src/doctor/all-checks.js';
import { type Finding, type ListedVerdict, listed } from '../../src/doctor/check.js';
import { metricsIn } from '../../src/doctor/metrics-page.js';
import { type Facts, Observation, type Reading } from '../../src/doctor/observation.js';

/** Differences from a scanner without problems. */
interface Differences {
  readonly values?: Readonly<Record<string, unknown>>;
  /** Variables that the scanner does not have. */
  readonly lacks?: readonly string[];
  readonly facts?: Partial<Facts>;
  /** Lines of the page of metrics, before and after. */
  readonly metrics?: readonly [before: string, after: string];
}

/** 2026-05-04 09:12:31, local time. */
const now = new Date(2026, 4, 4, 9, 12, 31);

/** A scanner at 192.168.0.1 that sends scan data to this computer, 192.168.0.50, which receives it. */
const healthy: Readonly<Record<string, unknown>> = {
  [device.members.DeviceIdent.name]: { Name: 'picoScan', Version: '2.4.4.0R' },
  [status.members.DeviceStatus.name]: 3,
  ScanDataEnable: true,
  ScanDataEthSettings: { Protocol: 1, IPAddress: [192, 168, 0, 50], Port: 2115 },
  SerialNumber: '23450001',
  EtherMACAddress: [0, 6, 119, 0, 0, 1],
  LSPdatetime: { uiYear: 2026, usiMonth: 5, usiDay: 4, usiHour: 9, usiMinute: 12, usiSec: 31, udiUSec: 0 },
};

export const sent = (count: number) => `azimuth_telegrams_total{stream="scan"} ${count}`;

/** Facts for the checks. */
export function observation({ values = {}, lacks = [], facts = {}, metrics }: Differences = {}): Observation {
  const readings = new Map<string, Reading>();
  for (const { name, type } of [...allVariables, ...extensionVariables]) {
    readings.set(name, { value: type.initial });
  }
  for (const [name, value] of Object.entries({ ...healthy, ...values })) readings.set(name, { value });
  for (const name of lacks) readings.set(name, { missing: true });
  const [before, after] = metrics ?? [sent(100), sent(250)];
  return new Observation({
    url: 'http://192.168.0.1',
    behind: ' --device @gate3',
    readings,
    host: '192.168.0.1',
    own: '192.168.0.50',
    isHere: false,
    networks: [{ address: '192.168.0.50', mask: '255.255.255.0' }],
    now,
    metrics: [metricsIn(before), metricsIn(after)],
    arrivals: new Map([['scan', { telegrams: 150, strangers: [], damaged: 0, seconds: 1 }]]),
    unsaved: [],
    neighbours: [{ mac: '00:06:77:00:00:01', address: '192.168.0.1', url: 'http://192.168.0.1' }],
    ...facts,
  });
}

/** A scanner with the interface of the specification only. */
export function realOnly(differences: Differences = {}): Observation {
  const { facts } = observation(differences);
  const { metrics: _, unsaved: __, ...told } = facts;
  const readings = new Map(facts.readings);
  for (const { name } of extensionVariables) readings.set(name, { missing: true });
  return new Observation({ ...told, readings });
}

export function verdict(name: string, observation: Observation): ListedVerdict {
  const check = allChecks.find((one) => one.name === name);
  if (check === undefined) throw new Error(`there is no check ${name}`);
  return listed(check.judge(observation));
}

/** The only finding of a check. */
export function finding(name: string, observation: Observation): Finding {
  const said = verdict(name, observation);
  if (!('findings' in said)) throw new Error(`${name} found nothing: ${JSON.stringify(said)}`);
  const [first, ...others] = said.findings;
  if (others.length > 0) throw new Error(`${name} found more: ${JSON.stringify(others)}`);
  return first;
}
