import {
  allEndpoints,
  type Endpoint,
  extensionVariables,
  type Release,
  releases,
  type Variant,
} from '@azimuth/model';
import { expect, test } from 'vitest';
import { allFindings, checkResults } from '../../src/doctor/all-checks.js';
import type { Logins, Observation } from '../../src/doctor/observation.js';
import { observation, realOnly, sent } from './observation.js';

/** Endpoints that commands need, with names that differ from the commands. */
const needed: Readonly<Record<string, string>> = {
  password: 'changePassword',
  certificate: 'certificateBundleInfo',
  users: 'EnableUserLevel',
  save: 'WriteEeprom',
  reboot: 'RebootDevice',
};

const endpoints = new Map<string, Endpoint>(allEndpoints.map((endpoint) => [endpoint.name, endpoint]));

/** Returns the endpoints that the advice of all findings needs. */
function neededBy(observation: Observation): readonly string[] {
  const advice = allFindings(checkResults(observation)).map((finding) => finding.advice);
  const fixes = allFindings(checkResults(observation)).flatMap(({ fix }) => fix?.acts ?? []);
  return [
    ...advice.flatMap((words) =>
      [...words.matchAll(/azimuth (\w+) (\w+)?/g)].flatMap(([, command = '', name = '']) =>
        ['set', 'get', 'call'].includes(command) ? [name] : (needed[command] ?? []),
      ),
    ),
    ...fixes.map((act) => ('write' in act ? act.write : act.call)),
  ];
}

const editions = releases.flatMap((release) => [
  { release, variant: 'full' as const },
  { release, variant: 'basic' as const },
]);

test.each(editions)('no advice needs what release %j does not have', ({ release, variant }) => {
  const names = faulty(release, variant).flatMap(neededBy);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const endpoint = endpoints.get(name);
    expect(endpoint?.isIn({ release, variant }), `${name} in ${release} ${variant}`).toBe(true);
  }
});

/** Scanners of an edition with all problems. */
function faulty(release: Release, variant: Variant): readonly Observation[] {
  const lacks = [...allEndpoints, ...extensionVariables].flatMap((endpoint) =>
    endpoint.kind === 'variable' && !endpoint.isIn({ release, variant }) ? [endpoint.name] : [],
  );
  const ident = { Name: 'picoScan', Version: `${release}.0R` };
  const nowhere = { Protocol: 1, IPAddress: [0, 0, 0, 0], Port: 2115 };
  const logins: Logins = {
    given: { level: 'AuthorizedClient', result: 'denied', isFactory: false },
    factory: new Map([['Service', 'in']]),
  };
  const common = { DeviceIdent: ident, EtherIPAddress: [192, 168, 0, 7] };
  const info =
    'azimuth_network_info{source="static",address="192.168.0.1",mask="255.255.255.0",gateway="0.0.0.0"} 1';
  const variants = [
    { ScanDataEnable: false, DeviceStatus: 4, ScanDataFormat: 3 },
    { ScanDataEthSettings: nowhere, ScanDataFormat: 4, DeviceStatus: 7 },
    { ScanDataEthSettings: { ...nowhere, Port: 0 }, EtherIPMask: [255, 0, 255, 0] },
    { ScanDataEthSettings: { ...nowhere, IPAddress: [10, 0, 0, 9] }, EtherIPGateAddress: [10, 0, 0, 1] },
    {
      LSPdatetime: { uiYear: 2020, usiMonth: 1, usiDay: 1, usiHour: 0, usiMinute: 0, usiSec: 9, udiUSec: 0 },
    },
    { httpsStatus: { enabled: false, errorCode: { error: 'PortInUse' } }, TSCRole: 1 },
  ];
  return variants.flatMap((more) => {
    const values = Object.fromEntries(
      Object.entries({ ...common, ...more }).filter(([name]) => !lacks.includes(name)),
    );
    const facts = { logins, unsaved: ['LocationName'] };
    const errors = (count: number) =>
      ['refused', 'format', 'no_port'].map(
        (reason) => `azimuth_telegram_errors_total{stream="scan",reason="${reason}"} ${count}`,
      );
    const metrics = [
      [sent(1), info, ...errors(1)].join('\n'),
      [sent(9), info, ...errors(900)].join('\n'),
    ] as const;
    return [observation({ values, lacks, facts, metrics }), realOnly({ values, lacks, facts: { logins } })];
  });
}
