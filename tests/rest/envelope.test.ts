import { statusOf } from '@azimuth/test-support/client';
import { detailOf, expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { array, bytes, number, object, parse, string } from '@azimuth/test-support/json';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeAll, expect, test } from 'vitest';

const scanner = sharedScanner(['--serial', '24430017', '--firmware', '2.4.4', '--variant', 'full']);
const client = () => scanner().client();

beforeAll(async () => {
  expectDone(await client().write('LocationName', 'Halle 3 – Tor „Süd“'));
});

test('a read of a variable carries a header and data with the name as its only key', async () => {
  expectData(await client().get('SerialNumber'), { SerialNumber: '24430017' });
  expectData(await client().get('EtherIPAddress'), { EtherIPAddress: [192, 168, 0, 1] });
  expectData(await client().get('EtherAddressingMode'), { EtherAddressingMode: 0 });
  expectData(await client().get('ScanDataEnable'), { ScanDataEnable: false });
});

test('a write answers with a header only', async () => {
  expectDone(await client().write('EtherIPMask', [255, 255, 0, 0]));
});

test('a method without response members answers with a header only', async () => {
  expectDone(await client().call('checkCredentials'));
  expectDone(await client().call('EthernetUpdate'));
});

test('the response members of a method stand directly in data', async () => {
  expectData(await client().call('WriteEeprom'), { Success: true });
  expectData(await client().post('GetWebserverEnabled'), { IsEnabled: true });
});

test('a challenge stands at the top level and not in data', async () => {
  const body = expectStatus(await client().post('getChallenge', { data: { user: 'Service' } }), 0);
  expect(Object.keys(body).sort()).toEqual(['challenge', 'header']);
  expect(Object.keys(object(body.challenge)).sort()).toEqual(['nonce', 'opaque', 'realm', 'salt']);
});

test('text is UTF-8 in both directions', async () => {
  expectData(await client().get('LocationName'), { LocationName: 'Halle 3 – Tor „Süd“' });
});

test.each([
  ['DeviceIdent', ['Name', 'Version']],
  ['ScanDataEthSettings', ['Protocol', 'IPAddress', 'Port']],
  [
    'LFPangleRangeFilter',
    ['bEnable', 'fThetaStart', 'fThetaStop', 'fPhiStart', 'fPhiStop', 'uiBeamIncrement'],
  ],
  ['LSPdatetime', ['uiYear', 'usiMonth', 'usiDay', 'usiHour', 'usiMinute', 'usiSec', 'udiUSec']],
])('the struct %s is answered under its name and, beside it, flat', async (name, members) => {
  const data = object(expectStatus(await client().get(name), 0).data);
  const nested = object(data[name]);
  expect(Object.keys(nested)).toEqual(members);
  expect(data).toEqual({ ...nested, [name]: nested });
});

test('an array of structs is answered under its name only', async () => {
  const data = object(expectStatus(await client().get('PortConfiguration'), 0).data);
  expect(Object.keys(data)).toEqual(['PortConfiguration']);
  expect(array(data.PortConfiguration)).toHaveLength(8);
});

test('the device reports its identity', async () => {
  const ident = object(await client().value('DeviceIdent'));
  expect(ident.Version).toBe('2.4.4.0R');
  expect(string(ident.Name).length).toBeLessThanOrEqual(9);
  expect(string(await client().value('FirmwareVersion')).length).toBeLessThanOrEqual(40);
  expect(string(await client().value('OrderNumber')).length).toBeLessThanOrEqual(32);
  expect(await client().value('DeviceStatus')).toBe(3);
  expect(await client().value('SCdevicestate')).toBe(1);
  expect(bytes(await client().value('EtherMACAddress')).subarray(0, 3)).toEqual(
    Buffer.from([0x00, 0x06, 0x77]),
  );
  expect(bytes(await client().value('EtherMACAddress'))).toHaveLength(6);
});

test('the header Azimuth-Detail of a refusal names the place and the reason', async () => {
  const reply = await client().write('EtherIPAddress', [192, 168, 300, 1]);
  expectStatus(reply, 6);
  expect(detailOf(reply)).toBe('EtherIPAddress[2]: expected 0 to 255, got 300');
});

test.each([
  [
    'a member of a struct',
    'ScanDataEthSettings',
    { Protocol: 1, IPAddress: [1, 2, 3, 4], Port: 65536 },
    6,
    'Port',
  ],
  ['a type', 'ScanDataEnable', 'yes', 2, 'ScanDataEnable'],
  ['a length', 'LocationName', 'x'.repeat(33), 7, 'LocationName'],
  ['an enumeration', 'FREchoFilter', 3, 9, 'FREchoFilter'],
])('the detail names the place of a fault in %s', async (_, name, value, status, place) => {
  const reply = await client().write(name, value);
  expectStatus(reply, status);
  expect(detailOf(reply)).toContain(place);
});

test('the detail stays ASCII where the value is not, and one line where the value is not', async () => {
  for (const name of ['Süd\u{1f600}', 'a\r\nSet-Cookie: x=y', '%', '\u0000', '\ud800']) {
    const data = JSON.stringify({ LocationName: 'x', [name]: '\u{1f600}\r\n' });
    const reply = await client().callText('LocationName', data);
    expectStatus(reply, 2);
    expect(decodeURIComponent(detailOf(reply))).not.toBe('');
    expect(reply.headers).not.toHaveProperty('set-cookie');
  }
});

test('a long offending value does not make a header that clients choke on', async () => {
  const reply = await client().call('LocationName', { LocationName: 'x', ['k'.repeat(700)]: 1 });
  expectStatus(reply, 2);
  expect(detailOf(reply).length).toBeLessThan(8192);
});

test('status 4 never explains itself, whatever its cause', async () => {
  const good = await client().header('WriteEeprom');
  const denied = [
    await client().post('WriteEeprom'),
    await client().post('WriteEeprom', { header: { ...good, nonce: 'x' } }),
    await client().post('WriteEeprom', { header: { ...good, response: 'x' } }),
    await client().call('WriteEeprom', undefined, { user: 'Maintenance', password: 'main' }),
  ];
  for (const reply of denied) expectStatus(reply, 4);
  expect(new Set(denied.map(({ headers }) => Object.keys(headers).sort().join())).size).toBe(1);
});

test('/healthz answers 200 outside the interface', async () => {
  expect((await client().send({ method: 'GET', path: '/healthz' })).httpStatus).toBe(200);
  expect(statusOf(await client().get('healthz'))).toBe(5);
});

test('the stored parameters are readable in the same envelope', async () => {
  const body = expectStatus(await client().send({ method: 'GET', path: '/x/stored' }), 0);
  expect(Object.keys(body).sort()).toEqual(['data', 'header']);
  expect(object(body.data)).toMatchObject({ EtherIPGateAddress: [0, 0, 0, 0], PerformanceProfileNumber: 2 });
});

test('the ready line on standard output is one line of JSON with the ports and the process', () => {
  const lines = scanner().stdout.split('\n');
  expect(lines).toHaveLength(2);
  expect(object(parse(lines[0] ?? ''))).toMatchObject({ ready: true, pid: scanner().pid });
  expect(Object.keys(scanner().readyLine)).toEqual(
    expect.arrayContaining(['http', 'https', 'legacyA', 'legacyB', 'search', 'control']),
  );
  expect(number(scanner().readyLine.http)).toBeGreaterThan(0);
});
