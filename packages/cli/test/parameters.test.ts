import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allParameters, type Edition, newestRelease, oldestRelease } from '@azimuth/model';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from './run.js';

/** Makes an output a terminal until the end of the test. */
function atTerminal(stream: 'stdout' | 'stderr'): void {
  const { isTTY } = process[stream];
  process[stream].isTTY = true;
  onTestFinished(() => {
    process[stream].isTTY = isTTY;
  });
}

const ok = { stdout: '', stderr: '', exitCode: 0 };
const settings = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };

beforeEach(() => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  vi.stubEnv('AZIMUTH_DEVICES', join(temporaryFolder(), 'devices.yaml'));
});

const editions: readonly Edition[] = [
  { release: oldestRelease, variant: 'basic' },
  { release: oldestRelease, variant: 'full' },
  { release: '2.2.0', variant: 'full' },
  { release: newestRelease, variant: 'basic' },
  { release: newestRelease, variant: 'full' },
];

describe.each(editions)('a scanner of release $release, $variant', ({ release, variant }) => {
  let scanner: TestScanner;

  beforeEach(async () => {
    scanner = await TestScanner.start({ release, variant });
    vi.stubEnv('AZIMUTH_DEVICE', `http://127.0.0.1:${scanner.service.ports.http}`);
  });

  test('leaves the factory with everything saved, and as the factory set it', async () => {
    expect(await azimuth('unsaved')).toEqual(ok);
    expect(await azimuth('diff', 'factory')).toEqual(ok);
    expect(await azimuth('diff', 'stored', 'factory')).toEqual(ok);
  });

  test('has unsaved changes until they are saved', async () => {
    await azimuth('set', 'LocationName', 'Gate 3');
    await azimuth('set', 'ScanDataEthSettings', 'Port=2116');
    expect(await azimuth('unsaved')).toEqual({
      stdout:
        'LocationName = "Gate 3"  (saved: "not defined")\nScanDataEthSettings.Port = 2116  (saved: 2115)\n',
      stderr: '',
      exitCode: 5,
    });
    const { stdout } = await azimuth('diff', 'stored', '--json');
    expect(JSON.parse(stdout)).toEqual([
      { path: 'LocationName', from: 'Gate 3', to: 'not defined' },
      { path: 'ScanDataEthSettings.Port', from: 2116, to: 2115 },
    ]);
    expect((await azimuth('status')).stdout).toMatch(/^Unsaved +LocationName, ScanDataEthSettings\.Port$/m);
    expect(await azimuth('save')).toEqual(ok);
    expect(await azimuth('unsaved')).toEqual(ok);
    expect((await azimuth('diff', 'factory')).exitCode).toBe(5);
  });

  test('shows its state and all its parameters', async () => {
    const { stdout, stderr, exitCode } = await azimuth('status');
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toMatch(new RegExp(`^Scanner +picoScan ${release}\\.0R serial number 12345678$`, 'm'));
    expect(stdout).toMatch(/^Scan data +off$/m);
    expect(stdout).toMatch(/^Temperature +\d.* °C$/m);
    const hours = (row: string) => Number(new RegExp(`^${row} +([\\d.]+) h$`, 'm').exec(stdout)?.[1]);
    expect(hours('In its life')).toBeGreaterThanOrEqual(hours('Power on for'));
    expect(/^Fields/m.test(stdout)).toBe(variant === 'full');
    const parameters = JSON.parse((await azimuth('get', '--parameters', '--json')).stdout);
    const expected = allParameters.filter((parameter) => parameter.isIn({ release, variant }));
    expect(Object.keys(parameters)).toHaveLength(expected.length);
  });
});

describe('a scanner that does not tell what it has saved', () => {
  let device: FakeDevice;
  let file: string;

  beforeEach(async () => {
    device = await FakeDevice.start();
    device.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.4.4.0R' });
    device.values.set('ScanDataEthSettings', settings);
    device.prepare('/x/stored', { http: 404, raw: '<html>' });
    vi.stubEnv('AZIMUTH_DEVICE', device.url);
    file = join(temporaryFolder(), 'gate.json');
    const entries = [
      { name: 'LocationName', id: 'x', value: 'Gate 3' },
      { name: 'ScanDataEthSettings', id: 'y', value: settings },
    ];
    writeFileSync(
      file,
      JSON.stringify({ version: '2.4.4.0R', parameters: [{ userlevel: 'Service', parameters: entries }] }),
    );
  });
  afterEach(() => device.stop());

  test('is compared with a backup instead', async () => {
    expect(await azimuth('unsaved')).toEqual({
      stdout: '',
      stderr: `azimuth: ${device.url} does not tell what it has saved, as real scanners. Compare it with a backup that you made after saving: azimuth diff FILE\n`,
      exitCode: 1,
    });
    expect(await azimuth('diff', file)).toEqual({
      stdout: 'LocationName = "not defined" → "Gate 3"\n',
      stderr: '',
      exitCode: 5,
    });
    expect((await azimuth('diff', file, device.url)).stdout).toBe(
      'LocationName = "Gate 3" → "not defined"\n',
    );
    expect((await azimuth('status')).stdout).toContain('Unsaved  not known: ');
  });

  test.each(['nested', 'flat', 'both'] as const)(
    'is compared part by part if its structs are %s',
    async (structs) => {
      device.structs = structs;
      device.values.set('ScanDataEthSettings', { ...settings, Port: 7 });
      device.values.set('LocationName', 'Gate 3');
      expect((await azimuth('diff', file)).stdout).toBe('ScanDataEthSettings.Port = 7 → 2115\n');
    },
  );

  test('is compared with another one, and files with each other', async () => {
    const other = await FakeDevice.start();
    other.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.4.4.0R' });
    other.values.set('LocationName', 'Gate 4');
    expect((await azimuth('diff', device.url, other.url)).stdout).toBe(
      'LocationName = "not defined" → "Gate 4"\nScanDataEthSettings = Protocol=1 UDP, IPAddress=192.168.0.100, Port=2115 → -\n',
    );
    await other.stop();
    expect(await azimuth('diff', file, file)).toEqual(ok);
    expect((await azimuth('diff', file, 'factory')).stdout).toMatch(
      /^LocationName = "Gate 3" → "not defined"\n/,
    );
  });

  test.each([
    [['diff'], /^azimuth: name two sides/],
    [
      ['diff', 'factory', 'stored', 'working'],
      /^azimuth: expected two sides, got factory, stored, working\n$/,
    ],
    [['diff', 'missing.json'], /^azimuth: missing\.json cannot be read: there is no such file/],
    [['diff', 'factory', 'factory'], /^azimuth: "factory" needs another side\n$/],
    [['diff', import.meta.filename], /can(not)? (only )?.*read|has no parameters|is no backup/],
  ])('%j is one line, and exit code 2', async (argv, line) => {
    const { stderr, exitCode } = await azimuth(...argv);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(exitCode).toBe(2);
  });
});

describe('get', () => {
  let device: FakeDevice;

  beforeEach(async () => {
    device = await FakeDevice.start();
    device.values.set('EtherIPAddress', [10, 0, 0, 1]);
    device.values.set('EtherSessionTimeout', 15_000);
    device.values.set('OpHours', 125);
    device.values.set('SensorPosition', { x: 1, y: 0, z: 0, yaw: 900_000, pitch: 0, roll: 0 });
    vi.stubEnv('AZIMUTH_DEVICE', device.url);
  });
  afterEach(() => device.stop());

  test('takes patterns, and leaves out what the scanner lacks', async () => {
    const ether = 'EtherIPAddress       10.0.0.1\nEtherSessionTimeout  15000 ms\n';
    expect(await azimuth('get', 'ether*')).toEqual({ stdout: ether, stderr: '', exitCode: 0 });
    expect((await azimuth('get', 'Ether??Address', 'LocationName')).stdout).toBe(
      'EtherIPAddress  10.0.0.1\nLocationName    not defined\n',
    );
    expect((await azimuth('get', '*Name', '--json')).stdout).toBe('{"LocationName":"not defined"}\n');
    expect(await azimuth('get', 'Xyz*')).toMatchObject({
      stderr: 'azimuth: no variable matches "Xyz*": azimuth search WORD\n',
      exitCode: 2,
    });
  });

  test('shows units beside numbers, but not behind a single number that a program reads', async () => {
    expect((await azimuth('get', 'SensorPosition')).stdout).toBe(
      'x      1 mm\ny      0 mm\nz      0 mm\nyaw    900000 (90°)\npitch  0 (0°)\nroll   0 (0°)\n',
    );
    expect((await azimuth('get', 'EtherSessionTimeout')).stdout).toBe('15000\n');
    atTerminal('stdout');
    expect((await azimuth('get', 'EtherSessionTimeout')).stdout).toBe('15000 ms\n');
    expect((await azimuth('get', 'OpHours')).stdout).toBe('125 (12.5 h)\n');
  });
});

describe('search', () => {
  test('finds names and descriptions', async () => {
    const { stdout } = await azimuth('search', 'ntp', 'server');
    expect(stdout.split('\n')[0]).toMatch(/^TSCRole +variable +How the device clock/);
    expect(stdout).toContain('TSCTCSrvAddr');
    expect(stdout).not.toContain('LocationName');
    const found = JSON.parse((await azimuth('search', 'WriteEeprom', '--json')).stdout);
    expect(found).toMatchObject([{ name: 'WriteEeprom', kind: 'method' }]);
    expect((await azimuth('search', 'detection', 'history')).stdout).toContain('x/history');
  });

  test('that finds nothing fails', async () => {
    expect(await azimuth('search', 'xyzzy')).toEqual({
      stdout: '',
      stderr: 'azimuth: nothing mentions "xyzzy"\n',
      exitCode: 1,
    });
  });
});

describe('save and reboot', () => {
  let device: FakeDevice;

  beforeEach(async () => {
    device = await FakeDevice.start();
    vi.stubEnv('AZIMUTH_DEVICE', device.url);
  });
  afterEach(() => device.stop());

  test('call the methods that do it', async () => {
    device.responses.set('WriteEeprom', { Success: true });
    expect(await azimuth('save')).toEqual(ok);
    expect(await azimuth('reboot')).toEqual(ok);
    expect(await azimuth('reboot', '--discard', '--yes', '--json')).toEqual({
      ...ok,
      stdout: '{"rebooted":true,"saved":false,"up":false}\n',
    });
    expect(device.requests.filter((name) => name !== 'getChallenge')).toEqual([
      'WriteEeprom',
      'RebootDevice',
      'SoftReset',
    ]);
    expect(device.exchanges.at(-1)?.body.data).toEqual({ ProcessorNbr: 0 });
  });

  test('report a scanner that has not saved', async () => {
    device.responses.set('WriteEeprom', { Success: false });
    expect(await azimuth('save')).toEqual({
      stdout: '',
      stderr: 'azimuth: WriteEeprom: refused (Success false) – nothing was saved\n',
      exitCode: 1,
    });
  });
});
