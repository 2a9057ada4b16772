import { builtInInterface, LegacyScanMode, type Release, ScanDataFormat, TimeRole } from '@azimuth/model';
import { expect, test } from 'vitest';
import { isServiceOn, type Service, servicesOf } from '../../src/services/service-rows.js';

function rowsOf(release: Release, variant: 'full' | 'basic' = 'full') {
  return servicesOf({ release, variant, known: builtInInterface });
}

function row(id: string): Service {
  const found = rowsOf('2.4.4').find((service) => service.id === id);
  if (found === undefined) throw new Error(`expected a service ${id}`);
  return found;
}

function reached(values: Readonly<Record<string, unknown>>, url = 'http://192.168.0.1') {
  return { url, value: (name: string) => values[name] };
}

test('a release has the services of its interface', () => {
  const ids = (rows: readonly Service[]) => rows.map(({ id }) => id);
  expect(ids(rowsOf('2.4.4'))).toContain('https');
  expect(ids(rowsOf('1.4.0'))).not.toContain('https');
  expect(ids(rowsOf('1.4.0'))).toContain('older-search');
  expect(ids(rowsOf('2.4.4'))).not.toContain('older-search');
  expect(ids(rowsOf('2.4.4', 'basic'))).not.toContain('imu');
});

test('ports are those of the settings', () => {
  expect(row('legacy-A').port(reached({ EtherAuxIPPort: 4111 }))).toBe('TCP 4111');
  expect(row('legacy-B').port(reached({}))).toBe('TCP 2112');
  expect(row('http').port(reached({}, 'http://127.0.0.1:8080'))).toBe('TCP 8080');
  expect(row('http').port(reached({}, 'https://127.0.0.1:8443'))).toBe('TCP 80');
  expect(row('https').port(reached({}, 'https://127.0.0.1:8443'))).toBe('TCP 8443');
  // The address of a fleet says nothing about the port of its scanner.
  expect(row('http').port({ ...reached({}), url: undefined })).toBe('TCP 80');
  const toClients = { Protocol: 2, IPAddress: [10, 0, 0, 1], Port: 2115 };
  expect(row('scan').port(reached({ ScanDataEthSettings: toClients }))).toBe('TCP 2115');
  expect(row('ros2').port(reached({ rosDomainId: 2 }))).toBe('UDP from 7900');
});

test('what is not known is not said', () => {
  for (const id of ['https', 'legacy-A', 'search', 'ntp', 'scan', 'ros2', 'dns-sd']) {
    expect(isServiceOn(row(id), reached({})), id).toBeUndefined();
  }
  for (const id of ['https', 'search', 'ntp', 'scan']) {
    expect(row(id).detail?.(reached({})), id).toBeUndefined();
  }
});

test.each([
  ['legacy-A', { EtherAuxEnabled: false }, false],
  ['search', { EtherLegacyScanMode: LegacyScanMode.IP_CONFIG_DISABLED }, true],
  ['search', { EtherLegacyScanMode: LegacyScanMode.DISABLED }, false],
  ['ntp', { TSCRole: TimeRole.TX_PTP_SLAVE }, false],
  ['ptp', { TSCRole: TimeRole.TX_PTP_SLAVE }, true],
  ['scan', { ScanDataEnable: true, ScanDataFormat: ScanDataFormat.Compact }, true],
  ['scan', { ScanDataEnable: true, ScanDataFormat: ScanDataFormat.NativeROS2 }, false],
  ['ros2', { ScanDataFormat: ScanDataFormat.NativeROS2 }, true],
] as const)('the service %s with %j is on: %s', (id, values, isOn) => {
  expect(isServiceOn(row(id), reached(values))).toBe(isOn);
});
