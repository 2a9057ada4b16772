import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;
const settings = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };

beforeEach(async () => {
  device = await FakeDevice.start();
  device.values.set('ScanDataEthSettings', settings);
  device.values.set('temperatureAlarmConfiguration', { upperThreshold: 55, lowerThreshold: 50 });
  device.values.set('EtherIPMask', [255, 255, 255, 0]);
  device.values.set('EtherIPAddress', [192, 168, 0, 1]);
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_DEVICES', join(temporaryFolder(), 'devices.yaml'));
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  vi.stubEnv('AZIMUTH_USER', '');
});
afterEach(() => device.stop());

const literal = (text: string) => `for a text that begins with "=": azimuth set LocationName '"${text}"'`;

describe('a typing error is one line that helps, has exit code 2 and writes nothing', () => {
  test.each([
    ['set LocationName=Gate', 'put a blank behind the name: azimuth set LocationName Gate'],
    ['set LocationName=', 'put a blank behind the name: azimuth set LocationName VALUE'],
    [
      'set ScanDataEthSettings.Port=2116',
      'put a blank behind the name: azimuth set ScanDataEthSettings Port=2116',
    ],
    ['set LocationName', "missing required argument 'value'"],
    ['set LocationName = Gate', `leave out the "=": azimuth set LocationName Gate; ${literal('= Gate')}`],
    ['set LocationName =Gate', `leave out the "=": azimuth set LocationName Gate; ${literal('=Gate')}`],
    ['set EtherIPAddress = 10.0.0.1', 'leave out the "=": azimuth set EtherIPAddress 10.0.0.1'],
    [
      'set ScanDataEthSettings Port = 2116',
      'leave out the blanks around "=": azimuth set ScanDataEthSettings Port=2116',
    ],
    [
      'set ScanDataEthSettings Port= 2116',
      'leave out the blanks around "=": azimuth set ScanDataEthSettings Port=2116',
    ],
    [
      'set ScanDataEthSettings Port =2116 IPAddress=10.0.0.1',
      'leave out the blanks around "=": azimuth set ScanDataEthSettings Port=2116 IPAddress=10.0.0.1',
    ],
    [
      'set LocationName Gate @hall/*',
      '@hall/* stands in front of the name: azimuth set @hall/* LocationName VALUE; for a text with "@": azimuth set LocationName \'"Gate @hall/*"\'',
    ],
    [
      'get LocationName @gate3',
      'there is no variable "@gate3": names of scanners stand in front of all other words',
    ],
    [
      'get ScanDataEthSettings.Port',
      'there is no variable "ScanDataEthSettings.Port": Port is a part of ScanDataEthSettings; read it with azimuth get ScanDataEthSettings, write it with azimuth set ScanDataEthSettings Port=VALUE',
    ],
    [
      'get Temp',
      'there is no variable "Temp"; did you mean temperatureAlarmConfiguration, temperatureAlarmStatus or CurrentTempDev?',
    ],
    ['call Reboot', 'there is no method "Reboot"; did you mean RebootDevice?'],
    [
      'set LocationName x --user service',
      'expected one of the user levels Maintenance, AuthorizedClient, Service, got "service"; did you mean Service?',
    ],
    [
      'set EtherIPMask 255.0.255.0',
      'EtherIPMask: 255.0.255.0 is no subnet mask: expected ones, then zeros. To write it anyway: --force',
    ],
    [
      'set EtherIPAddress 0.0.0.0',
      'EtherIPAddress: 0.0.0.0 is no address that a scanner can have. To write it anyway: --force',
    ],
    [
      'set EtherIPAddress 192.168.010.007',
      'EtherIPAddress: 192.168.010.007 has leading zeros, which some programs read as octal numbers: write 192.168.10.7',
    ],
    [
      'set ScanDataEthSettings IPAddress=10.00.0.1',
      'ScanDataEthSettings: 10.00.0.1 has leading zeros, which some programs read as octal numbers: write 10.0.0.1',
    ],
    [
      'set temperatureAlarmConfiguration upperThreshold=40',
      'temperatureAlarmConfiguration.lowerThreshold: 50 is not below upperThreshold, 40 (Out Of Range)',
    ],
    [
      'set LocationName Gate -- --password geheim',
      'a password was about to be written into LocationName: set AZIMUTH_PASSWORD, or name a file with --password-file',
    ],
    [
      'set ScanDataEthSettings Port 2116',
      'put "=" between member and value: azimuth set ScanDataEthSettings Port=2116',
    ],
    [
      'diff facotry',
      '"facotry" is no side: did you mean factory? For a scanner of this name: http://facotry',
    ],
    ['diff nofile.json --device http://127.0.0.1:9', 'nofile.json cannot be read: there is no such file'],
    ['clone', "missing required argument 'folder'"],
    ['clone http://127.0.0.1:9', "missing required argument 'folder'"],
    ['help statsu', 'there is no command or topic "statsu"; did you mean status?'],
    ['help xyzzy', 'there is no command or topic "xyzzy"; azimuth help lists them'],
    ['get LocationName --timeout 3', "unknown option '--timeout'"],
  ])('%s', async (line, message) => {
    expect(await azimuth(...line.split(' '))).toEqual({
      stdout: '',
      stderr: `azimuth: ${message}\n`,
      exitCode: 2,
    });
    expect(device.exchanges.filter(({ method }) => method === 'POST')).toEqual([]);
    // Words after -- are values.
    const [command = '', ...rest] = line.split(' ');
    const asJson = await azimuth(command, '--json', ...rest);
    expect(JSON.parse(asJson.stderr)).toEqual({ error: message, exitCode: 2 });
    expect(asJson.stdout).toBe('');
  });
});

test.each([
  [['set', 'LocationName', '"= Gate"'], 'LocationName', '= Gate'],
  [['set', 'LocationName', '"Gate @hall"'], 'LocationName', 'Gate @hall'],
  [['set', 'LocationName', 'a', '=', 'b'], 'LocationName', 'a = b'],
  [['set', 'LocationName', '192.168.010.007'], 'LocationName', '192.168.010.007'],
  [['set', 'EtherIPMask', '255.0.255.0', '--force'], 'EtherIPMask', [255, 0, 255, 0]],
  [['set', 'EtherIPMask', '255.255.255.252'], 'EtherIPMask', [255, 255, 255, 252]],
])('what is meant is written: %j', async (argv, name, value) => {
  expect(await azimuth(...argv)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  expect(device.values.get(name)).toEqual(value);
});

describe('a change', () => {
  /** Makes stderr a terminal until the end of the test. */
  function atTerminal(): void {
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    onTestFinished(() => {
      process.stderr.isTTY = isTTY;
    });
  }

  test('is told to a person, with what is left to do', async () => {
    atTerminal();
    expect((await azimuth('set', 'LocationName', 'Gate 3')).stderr).toBe(
      'LocationName = Gate 3  (unsaved: azimuth save keeps it)\n',
    );
    device.responses.set('WriteEeprom', { Success: true });
    expect((await azimuth('save')).stderr).toBe('saved\n');
    expect(
      (await azimuth('set', '--device', device.url, '--device', `${device.url}/api`, 'LocationName', 'x'))
        .stderr,
    ).toBe(`${device.url}: LocationName = x  (unsaved: azimuth save keeps it)\n`);
  });

  test('is not told with --quiet', async () => {
    atTerminal();
    expect((await azimuth('set', 'LocationName', 'Gate 3', '--quiet')).stderr).toBe('');
  });
});

describe('a file that is no backup for sure is told before anything is sent', () => {
  test.each([
    ['', 'FILE is empty: expected a backup file, made by azimuth backup'],
    ['hello', 'FILE is no backup: expected a file that azimuth backup has made'],
    [
      '{"version": "2.4.4.0R", "param',
      'FILE was cut off or edited after it was made: line 1, column 25: not valid JSON, did not expect "\\"". Make a new backup: azimuth backup',
    ],
  ])('%j', async (content, message) => {
    const file = join(temporaryFolder(), 'backup.json');
    writeFileSync(file, content);
    const told = { stdout: '', stderr: `azimuth: ${message.replace('FILE', file)}\n`, exitCode: 2 };
    expect(await azimuth('restore', file, '--yes')).toEqual(told);
    expect(await azimuth('restore', file, '--yes', '--with-network', '--with-name')).toEqual(told);
    expect(await azimuth('diff', file, 'factory')).toEqual(told);
    expect(device.exchanges).toEqual([]);
  });
});
