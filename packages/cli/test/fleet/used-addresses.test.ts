import type { ScannerFacts, ScannerPorts } from '@azimuth/fleet';
import { ScanDataFormat } from '@azimuth/model';
import { expect, test } from 'vitest';
import { UsedAddresses } from '../../src/fleet/used-addresses.js';

const fleetPlace = { host: '127.0.0.1', port: 8000 };
const udp = 1;
const tcp = 2;

const to = (Port: number, Protocol = tcp) => ({ Protocol, IPAddress: [127, 0, 0, 1], Port });
const scans = (Port = 2115, Protocol = tcp) => ({
  ScanDataEnable: true,
  ScanDataEthSettings: to(Port, Protocol),
});

/** A scanner with the facts about its streams. */
function sender(parameters: ScannerFacts['parameters'], more: Partial<ScannerFacts> = {}) {
  return { variant: 'full' as const, parameters, ...more };
}

const portsAt = (host: string, http = 8080): ScannerPorts => ({
  ...{ host, http, https: 8443, legacyA: 2111, legacyB: 2112 },
});

test('two scanners without an address cannot send a stream over TCP at the same port', () => {
  const places = new UsedAddresses(fleetPlace);
  expect(places.reserveStreams(sender(scans()), 'hall')).toBeUndefined();
  expect(places.reserveStreams(sender(scans()), 'hall')).toEqual({
    settings: 'ScanDataEthSettings',
    why: '127.0.0.1:2115, for scan data over TCP, is also used in hall; give the group an address, or each scanner another Port in ScanDataEthSettings',
  });
  expect(places.reserveStreams(sender(scans(2116)), 'hall')).toBeUndefined();
  const own = { ports: { host: '127.0.0.1', http: 8100, https: 0, legacyA: 0, legacyB: 0 } };
  expect(places.reserveStreams(sender(scans(), own), 'gate')?.why).toContain('is also used in hall');
});

test.each([
  ['ImuDataEthSettings', 'IMU data', { ImuDataEnable: true, ImuDataEthSettings: to(2115) }],
  ['EncoderDataEthSettings', 'encoder data', { EncoderDataEnable: true, EncoderDataEthSettings: to(2115) }],
] as const)('%s over TCP takes a port, too', (settings, what, parameters) => {
  const places = new UsedAddresses(fleetPlace);
  places.reserveStreams(sender(scans()), 'hall');
  expect(places.reserveStreams(sender(parameters), 'gate')).toEqual({
    settings,
    why: `127.0.0.1:2115, for ${what} over TCP, is also used in hall; give the group an address, or each scanner another Port in ${settings}`,
  });
});

test('scanners with addresses of their own, and the streams of one scanner, may have the same port', () => {
  const places = new UsedAddresses(fleetPlace);
  const both = { ...scans(), ImuDataEnable: true, ImuDataEthSettings: to(2115) };
  for (const host of ['127.0.9.1', '127.0.9.2'])
    expect(places.reserveStreams(sender(both, { ports: portsAt(host) }), 'gate')).toBeUndefined();
  expect(places.reserveStreams(sender(both), 'hall')).toBeUndefined();
});

test.each([
  ['off', { ...scans(), ScanDataEnable: false }],
  ['not switched on', { ScanDataEthSettings: to(2115) }],
  ['sent over UDP', scans(2115, udp)],
  ['as the factory has it, over UDP', { ScanDataEnable: true }],
  ['without a port', scans(0)],
  ['native ROS 2', { ...scans(), ScanDataFormat: ScanDataFormat.NativeROS2 }],
])('a stream that is %s takes no port', (_, parameters) => {
  const places = new UsedAddresses(fleetPlace);
  for (let count = 0; count < 2; count++)
    expect(places.reserveStreams(sender(parameters), 'hall')).toBeUndefined();
});

test('a release without native ROS 2 sends scan data over TCP', () => {
  const places = new UsedAddresses(fleetPlace);
  const old = sender({ ...scans(), ScanDataFormat: ScanDataFormat.NativeROS2 }, { release: '2.1.0' });
  places.reserveStreams(old, 'hall');
  expect(places.reserveStreams(old, 'hall')).toMatchObject({ settings: 'ScanDataEthSettings' });
});

test('a stream cannot have another port of its scanner, of other scanners, or of the fleet', () => {
  const places = new UsedAddresses(fleetPlace);
  const gate = { ports: portsAt('127.0.9.1') };
  expect(places.reserveStreams(sender(scans(2111), gate), 'gate')?.why).toBe(
    'at 127.0.9.1:2111, a scanner would have both the legacy protocol and scan data; choose another Port in ScanDataEthSettings',
  );
  expect(places.reserveStreams(sender(scans(8000)), 'hall')?.why).toBe(
    '127.0.0.1:8000, for scan data over TCP, is the port of the fleet itself; choose another Port in ScanDataEthSettings, or give the group an address',
  );
  expect(places.reserve({ ...portsAt('127.0.0.1', 8100), legacyA: 0, legacyB: 0 }, 'hall')).toBeUndefined();
  expect(places.reserveStreams(sender(scans(8100)), 'door')?.why).toContain('is also used in hall');
  places.reserveStreams(sender(scans(9100)), 'door');
  const next = { host: '127.0.0.1', http: 9100, https: 0, legacyA: 0, legacyB: 0 };
  expect(places.reserve(next, 'hall')).toContain('127.0.0.1:9100 is also used in door');
});

test('where the fleet listens is unknown if several computers may run it: streams are not checked then', () => {
  const places = new UsedAddresses();
  for (let count = 0; count < 2; count++)
    expect(places.reserveStreams(sender(scans()), 'hall')).toBeUndefined();
});
