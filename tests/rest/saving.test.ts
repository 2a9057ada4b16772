import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

/** What the working copy and the stored copy of LocationName hold. */
async function copies() {
  return { working: await client().value('LocationName'), stored: await client().stored('LocationName') };
}

beforeEach(async () => {
  await resetFailedLogins(scanner());
  expectDone(await client().write('LocationName', 'stored'));
  expectData(await client().call('WriteEeprom'), { Success: true });
});

test('a write changes the working copy only', async () => {
  expectDone(await client().write('LocationName', 'working'));
  expect(await copies()).toEqual({ working: 'working', stored: 'stored' });
});

test('WriteEeprom stores the working copy of everything', async () => {
  expectDone(await client().write('LocationName', 'working'));
  expectDone(await client().write('ScanDataEthSettings', { Protocol: 2, IPAddress: [1, 2, 3, 4], Port: 99 }));
  expect(await client().stored('ScanDataEthSettings')).toMatchObject({ Protocol: 1 });
  expectData(await client().call('WriteEeprom'), { Success: true });
  expect(await copies()).toEqual({ working: 'working', stored: 'working' });
  expect(await client().stored('ScanDataEthSettings')).toEqual({
    Protocol: 2,
    IPAddress: [1, 2, 3, 4],
    Port: 99,
  });
});

test('EthernetUpdate stores nothing', async () => {
  expectDone(await client().write('EtherIPGateAddress', [10, 9, 8, 7]));
  expectDone(await client().call('EthernetUpdate'));
  expect(await client().stored('EtherIPGateAddress')).toEqual([0, 0, 0, 0]);
  await scanner().powerCycle();
  expect(await client().value('EtherIPGateAddress')).toEqual([0, 0, 0, 0]);
});

describe('what was not stored', () => {
  test('is lost by a power cycle', async () => {
    expectDone(await client().write('LocationName', 'working'));
    await scanner().powerCycle();
    expect(await copies()).toEqual({ working: 'stored', stored: 'stored' });
  });

  test('is still there after a refused SoftReset', async () => {
    expectDone(await client().write('LocationName', 'working'));
    await client().call('SoftReset', {});
    expect(await copies()).toEqual({ working: 'working', stored: 'stored' });
  });
});

describe('LoadFactoryDefaults', () => {
  test('puts working and stored values at their defaults, at once and without a reboot', async () => {
    const witness = await RawConnection.open(client().port);
    expectDone(await client().write('PerformanceProfileNumber', 9));
    expectDone(await client().call('SetWebserverEnabled', { Enable: false }));
    expectData(await client().call('WriteEeprom'), { Success: true });
    expectDone(await client().call('LoadFactoryDefaults'));
    expect(await copies()).toEqual({ working: 'not defined', stored: 'not defined' });
    expect(await client().value('PerformanceProfileNumber')).toBe(2);
    expect(await client().stored('PerformanceProfileNumber')).toBe(2);
    expectData(await client().post('GetWebserverEnabled'), { IsEnabled: true });
    expect(witness.isClosed).toBe(false);
    witness.destroy();
    expect(await scanner().isUp()).toBe(true);
  });
});

describe('LoadApplicationDefaults', () => {
  test('changes nothing outside the application, stored or working', async () => {
    expectDone(await client().write('FREchoFilter', 2));
    expectDone(await client().write('EtherIPGateAddress', [10, 0, 0, 1]));
    expectData(await client().call('WriteEeprom'), { Success: true });
    expectDone(await client().write('LocationName', 'working'));
    expectDone(await client().call('LoadApplicationDefaults'));
    expect(await copies()).toEqual({ working: 'working', stored: 'stored' });
    expect(await client().value('FREchoFilter')).toBe(2);
    expect(await client().stored('EtherIPGateAddress')).toEqual([10, 0, 0, 1]);
    expect(await scanner().isUp()).toBe(true);
  });
});

describe('LastParaDate and LastParaTime', () => {
  const save = async () => {
    const [date, time] = [await client().value('LastParaDate'), await client().value('LastParaTime')];
    expect(date).toMatch(/^(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.\d{4}$/);
    expect(time).toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
    return `${date} ${time}`;
  };
  const reboot = async (name: string, data?: unknown) =>
    scanner().throughReboot(async () => expectDone(await client().call(name, data)));

  test.each([
    ['a write', async () => expectDone(await client().write('LocationName', 'working'))],
    ['EthernetUpdate', async () => expectDone(await client().call('EthernetUpdate'))],
    ['SoftReset', () => reboot('SoftReset', { ProcessorNbr: 0 })],
    ['a power cycle', () => scanner().powerCycle()],
    [
      'EnableUserLevel',
      async () =>
        expectData(await client().call('EnableUserLevel', { userLevel: 2, isEnabled: true }), { result: 0 }),
    ],
  ])('%s does not', async (_, act) => {
    const before = await save();
    await scanner().advance(24 * 3_600_000 + 60_000);
    await act();
    expect(await save()).toBe(before);
  });
});
