import { allVariables } from '@azimuth/model';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
});
afterEach(() => device.stop());

const destination = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };

describe('one name', () => {
  test.each([
    ['LocationName', 'Gate 3', 'Gate 3\n'],
    ['EtherIPAddress', [192, 168, 0, 7], '192.168.0.7\n'],
    ['EtherMACAddress', [0, 6, 119, 0, 10, 255], '00:06:77:00:0a:ff\n'],
    ['EtherAddressingMode', 1, '1 TX_IP_DHCP\n'],
    ['EtherAddressingMode', 9, '9\n'],
    ['ScanDataEnable', true, 'true\n'],
    ['CurrentTempDev', 31.5, '31.5\n'],
    ['ScanDataEthSettings', destination, 'Protocol   1 UDP\nIPAddress  192.168.0.100\nPort       2115\n'],
    ['PowerOnCnt', { of: 'another release' }, '{"of":"another release"}\n'],
  ])('%s prints its bare value', async (name, value, stdout) => {
    device.values.set(name, value);
    expect(await azimuth('get', name)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  test('with --json prints an object', async () => {
    device.values.set('EtherIPAddress', [192, 168, 0, 7]);
    expect((await azimuth('get', 'EtherIPAddress', '--json')).stdout).toBe(
      '{"EtherIPAddress":[192,168,0,7]}\n',
    );
  });

  test('with control characters in its value escapes them', async () => {
    device.values.set('LocationName', 'a\u001b[2Jb\u009b');
    expect((await azimuth('get', 'LocationName')).stdout).toBe('a\\u001b[2Jb\\u009b\n');
  });
});

describe('several names', () => {
  beforeEach(() => {
    device.values.set('EtherIPAddress', [192, 168, 0, 7]);
    device.values.set('ScanDataEthSettings', destination);
  });

  test('print aligned lines in the given order', async () => {
    const { stdout } = await azimuth('get', 'EtherIPAddress', 'ScanDataEthSettings', 'LocationName');
    expect(stdout).toBe(
      [
        'EtherIPAddress  192.168.0.7',
        'ScanDataEthSettings',
        '  Protocol   1 UDP',
        '  IPAddress  192.168.0.100',
        '  Port       2115',
        'LocationName    not defined',
        '',
      ].join('\n'),
    );
  });

  test('with --json are one object', async () => {
    const { stdout } = await azimuth('--json', 'get', 'LocationName', 'ScanDataEthSettings');
    expect(JSON.parse(stdout)).toEqual({ LocationName: 'not defined', ScanDataEthSettings: destination });
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  test('print what there is, and fail for each that is not', async () => {
    const outcome = await azimuth('get', 'PowerOnCnt', 'LocationName', 'EtherMACAddress');
    expect(outcome).toEqual({
      stdout: 'LocationName  not defined\n',
      stderr: 'azimuth: PowerOnCnt: Not Found (5)\nazimuth: EtherMACAddress: Not Found (5)\n',
      exitCode: 1,
    });
  });

  test('with --json print what there is, and each that is not as an error of its own', async () => {
    const { stdout, stderr, exitCode } = await azimuth(
      'get',
      'PowerOnCnt',
      'LocationName',
      'EtherMACAddress',
      '--json',
    );
    expect(stdout).toBe('{"LocationName":"not defined"}\n');
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { error: 'PowerOnCnt: Not Found (5)', exitCode: 1 },
      { error: 'EtherMACAddress: Not Found (5)', exitCode: 1 },
    ]);
    expect(exitCode).toBe(1);
  });

  test('print what there is if one is no name of any release, and fail as for a typing error', async () => {
    const outcome = await azimuth('get', 'EtherIPAddress', 'NoSuchName', 'LocationName');
    expect(outcome.stdout).toBe('EtherIPAddress  192.168.0.7\nLocationName    not defined\n');
    expect(outcome.stderr).toMatch(/^azimuth: there is no variable "NoSuchName".*\n$/);
    expect(outcome.exitCode).toBe(2);
    expect(await azimuth('get', 'NoSuchName', 'NorThis')).toMatchObject({ stdout: '', exitCode: 2 });
  });

  test('print nothing if there is none of them', async () => {
    const { stdout, exitCode } = await azimuth('get', 'PowerOnCnt', 'EtherMACAddress');
    expect([stdout, exitCode]).toEqual(['', 1]);
  });
});

describe('--all', () => {
  test('reads every variable of the scanner, and omits those that it does not have', async () => {
    for (const { name } of allVariables) device.values.set(name, `the value of ${name}`);
    device.values.delete('PowerOnCnt');
    device.values.delete('OpHours');
    const { stdout, stderr, exitCode } = await azimuth('get', '--all', '--json');
    const names = allVariables.map(({ name }) => name).filter((name) => device.values.has(name));
    expect(Object.keys(JSON.parse(stdout))).toEqual(names);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
  });

  test('omits the same without --json', async () => {
    device.values.set('EtherIPAddress', [192, 168, 0, 7]);
    expect(await azimuth('get', '--all')).toEqual({
      stdout: expect.stringMatching(/^LocationName +not defined\nEtherIPAddress +192\.168\.0\.7\n$/),
      stderr: '',
      exitCode: 0,
    });
  });

  test('reads only a few at the same time', async () => {
    for (const { name } of allVariables) device.values.set(name, 0);
    await azimuth('get', '--all');
    expect(device.mostAtOnce).toBeGreaterThan(1);
    expect(device.mostAtOnce).toBeLessThanOrEqual(4);
  });

  test('fails if the scanner refuses for another reason', async () => {
    device.prepare('LocationName', { status: 3 });
    expect(await azimuth('get', '--all')).toEqual({
      stdout: '',
      stderr: 'azimuth: LocationName: Internal Server Error (3)\n',
      exitCode: 1,
    });
  });

  test('cannot be combined with names', async () => {
    expect((await azimuth('get', 'LocationName', '--all')).stderr).toMatch(/not both/);
    expect((await azimuth('get')).stderr).toBe('azimuth: name a variable, or give --all or --parameters\n');
    expect((await azimuth('get')).exitCode).toBe(2);
  });
});
