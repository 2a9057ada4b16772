import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { ownDescription } from '@azimuth/test-support/own-description';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
  device.values.set('DeviceIdent', { Name: 'GateScan', Version: '5.0.1' });
  device.values.set('SerialNumber', '24500001');
  device.values.set('LaserHours', 7);
  device.values.set('LaserPower', 1);
  device.values.set('GateName', 'North');
  device.responses.set('CalibrateLaser', { Result: 0 });
  device.responses.set('WriteEeprom', { Success: true });
  device.prepare('/openapi.json', { raw: ownDescription() });
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});
afterEach(() => device.stop());

const done = { stdout: '', stderr: '', exitCode: 0 };

describe('a name that only the scanner knows', () => {
  test('is read, with the natural form of its value', async () => {
    expect(await azimuth('get', 'LaserPower')).toEqual({ ...done, stdout: '1 HIGH\n' });
    expect(device.requests).toEqual(['/openapi.json', 'LaserPower']);
  });

  test('is read beside others, with its unit', async () => {
    const { stdout } = await azimuth('get', 'LaserHours', 'LocationName');
    expect(stdout).toBe('LaserHours    7 h\nLocationName  not defined\n');
  });

  test('is among those of a pattern, of --all and of --parameters', async () => {
    expect((await azimuth('get', 'Laser*')).stdout).toBe('LaserHours  7 h\nLaserPower  1 HIGH\n');
    device.prepare('/openapi.json', { raw: ownDescription() });
    expect((await azimuth('get', '--all')).stdout).toBe(
      'LocationName  not defined\nLaserHours    7 h\nGateName      North\nLaserPower    1 HIGH\n',
    );
    device.prepare('/openapi.json', { raw: ownDescription() });
    expect((await azimuth('get', '--parameters')).stdout).toBe(
      'LocationName  not defined\nGateName      North\nLaserPower    1 HIGH\n',
    );
  });

  test.each([
    ['GateName', ['Gate 3'], 'Gate 3'],
    ['LaserPower', ['low'], 0],
    ['LaserPower', ['1'], 1],
    ['PerformanceProfileNumber', ['FAST'], 42],
  ])('is written in its natural form: %s %j', async (name, words, value) => {
    device.values.set('PerformanceProfileNumber', 0);
    expect(await azimuth('set', name, ...words)).toEqual(done);
    expect(device.values.get(name)).toBe(value);
  });

  test.each([
    ['LaserPower', 'middle', /^azimuth: LaserPower: .*LOW, HIGH/],
    ['GateName', 'x'.repeat(17), /GateName: expected 0 to 16 characters, got 17/],
    ['LaserHours', '8', /LaserHours is read-only/],
    ['LaserHour', '8', /there is no variable "LaserHour"; did you mean LaserHours\?/],
  ])('is written only with a value that the scanner describes: %s %s', async (name, word, line) => {
    const { stderr, exitCode } = await azimuth('set', name, word);
    expect(stderr).toMatch(line);
    expect(exitCode).toBe(2);
    expect(device.requests).toEqual(['/openapi.json']);
  });

  test('is called; a call that loses data asks first', async () => {
    const refused = await azimuth('call', 'CalibrateLaser', 'Depth=2');
    expect(refused.stderr).toMatch(/CalibrateLaser at .* loses the old calibration, for good/);
    device.prepare('/openapi.json', { raw: ownDescription() });
    const { stdout, exitCode } = await azimuth('call', 'CalibrateLaser', 'Depth=2', '--yes');
    expect([stdout, exitCode]).toEqual(['Result  0 LOW\n', 0]);
    expect(device.exchanges.at(-1)?.body.data).toEqual({ Depth: 2 });
  });

  test('is called with a refusal as its result: that fails', async () => {
    device.responses.set('CalibrateLaser', { Result: 1 });
    const { stderr, exitCode } = await azimuth('call', 'CalibrateLaser', 'Depth=2', '--yes');
    expect([stderr, exitCode]).toEqual(['azimuth: CalibrateLaser: refused (Result 1 HIGH)\n', 1]);
  });

  test('is described with text, type, unit and level', async () => {
    const { stdout } = await azimuth('describe', 'LaserPower');
    expect(stdout).toMatch(/^LaserPower – variable of the group Laser\nPower of the laser\.\n/);
    expect(stdout).toMatch(/^type +uint8 of 0 LOW, 1 HIGH$/m);
    expect(stdout).toMatch(/^write +Maintenance and above$/m);
    expect(stdout).not.toMatch(/^since/m);
    device.prepare('/openapi.json', { raw: ownDescription() });
    const { stdout: json } = await azimuth('describe', 'LaserHours', '--json');
    expect(JSON.parse(json)).toMatchObject({ name: 'LaserHours', unit: 'h', schema: { format: 'uint32' } });
  });

  test('is found by a search of this scanner, and not by one without a scanner', async () => {
    expect(await azimuth('search', 'laser', 'hours')).toMatchObject({ exitCode: 1 });
    const { stdout } = await azimuth('search', 'laser', 'hours', '--device', device.url);
    expect(stdout).toBe('LaserHours  variable  Hours that the laser was on.\n');
  });

  test('may be known to a scanner that does not answer', async () => {
    await device.stop();
    const { stderr, exitCode } = await azimuth('get', 'LaserHours');
    expect(stderr).toMatch(
      /^azimuth: there is no variable "LaserHours"\. The scanner may have it, but http:\S+ cannot be reached: ECONNREFUSED\n$/,
    );
    expect(exitCode).toBe(2);
    device = await FakeDevice.start();
  });

  test('is unknown if the scanner describes nothing', async () => {
    const other = await FakeDevice.start();
    const { stderr, exitCode } = await azimuth('get', 'LaserHours', '--device', other.url);
    await other.stop();
    expect([stderr, exitCode]).toEqual(['azimuth: there is no variable "LaserHours"\n', 2]);
  });
});

describe('parameters that only the scanner knows', () => {
  test('are exported, and applied', async () => {
    const file = join(temporaryFolder(), 'site.yaml');
    expect((await azimuth('export', file)).exitCode).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('release: 5.0.1');
    expect(text).toContain('GateName: North');
    expect(text).toContain('LaserPower: HIGH');
    writeFileSync(file, text.replace('GateName: North', 'GateName: South').replace('HIGH', 'LOW'));
    device.prepare('/openapi.json', { raw: ownDescription() });
    const { stderr, exitCode } = await azimuth('apply', file, '--yes');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('GateName')]);
    expect([device.values.get('GateName'), device.values.get('LaserPower')]).toEqual(['South', 0]);
    device.prepare('/openapi.json', { raw: ownDescription() });
    expect((await azimuth('export', file)).exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('GateName: South');
  });

  test('are reported with their place in the file if the value is not allowed', async () => {
    const file = join(temporaryFolder(), 'site.yaml');
    writeFileSync(file, 'parameters:\n  LaserPower: MIDDLE\n  GateNam: x\n');
    const { stderr, exitCode } = await azimuth('apply', file, '--yes');
    expect(stderr).toMatch(/site\.yaml:2:15: .*LOW, HIGH/);
    expect(stderr).toMatch(/site\.yaml:3:3: there is no parameter "GateNam"; did you mean GateName\?/);
    expect(exitCode).toBe(2);
  });

  test('are compared with a backup, and with the factory values', async () => {
    const file = join(temporaryFolder(), 'backup.json');
    const parameters = [{ parameters: [{ name: 'GateName', value: 'West' }] }];
    writeFileSync(file, JSON.stringify({ version: '5.0.1', parameters }));
    const { stdout } = await azimuth('diff', 'working', file);
    expect(stdout).toContain('GateName = "North" → "West"');
    device.prepare('/openapi.json', { raw: ownDescription() });
    expect((await azimuth('diff', 'factory')).stdout).toContain('LaserPower = 1 HIGH → 0 LOW');
  });

  test('are among the unsaved ones', async () => {
    const stored = { GateName: 'South', LaserPower: 1 };
    device.prepare('/x/stored', { data: { stored } });
    expect((await azimuth('unsaved')).stdout).toBe('GateName = "North"  (saved: "South")\n');
  });
});
