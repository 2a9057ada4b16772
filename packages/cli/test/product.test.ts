import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderStorage } from '@azimuth/device';
import { defineProduct, type ProductDefinition } from '@azimuth/model';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

const definition = {
  name: 'GateScan',
  deviceType: 'GateScan2',
  orderNumber: '6070123',
  realm: 'Gate Sensor',
  headerPrefix: 'Gate',
  metricPrefix: 'gate_scan',
  releases: { '5.0.0': '2.4.4', '5.0.1': '2.4.4' },
  groups: { added: { Laser: {} }, removed: ['Detection history', 'IMU data output'] },
  variables: {
    LaserHours: {
      group: 'Laser',
      text: 'Hours that the laser was on.',
      type: { kind: 'integer', format: 'uint32', initial: 7 },
      unit: 'h',
      event: true,
    },
    LaserPower: {
      group: 'Laser',
      text: 'Power of the laser.',
      type: { kind: 'enumeration', values: { LOW: 0, HIGH: 1 } },
      write: 'AuthorizedClient',
    },
    GateName: {
      group: 'Laser',
      text: 'Name of the gate.',
      type: { kind: 'string', maxLength: 16 },
      write: 'AuthorizedClient',
    },
  },
  profiles: { 2: { frequency: 2000, resolution: 2500 }, 21: { frequency: 2500, resolution: 5000 } },
  ranges: { LocationName: { maxLength: 12 } },
} as const satisfies ProductDefinition;

describe('a product of its own, and a command that does not know it', () => {
  beforeEach(async () => {
    const scanner = await TestScanner.start({ product: defineProduct(definition) });
    vi.stubEnv('AZIMUTH_DEVICE', scanner.service.url ?? '');
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  });

  test('reads own variables with their units, and all of them with --all', async () => {
    const { stdout } = await azimuth('get', 'LaserHours', 'LaserPower');
    expect(stdout).toBe('LaserHours  7 h\nLaserPower  0 LOW\n');
    const all = await azimuth('get', '--all', '--json');
    expect(JSON.parse(all.stdout)).toMatchObject({ LaserHours: 7, GateName: '', DeviceType: 'GateScan2' });
    expect(JSON.parse(all.stdout)).not.toHaveProperty('IMUDataEnable');
  });

  test('writes them in their natural form, and shows the reason of a refusal', async () => {
    expect(await azimuth('set', 'GateName', 'Gate 3')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await azimuth('set', 'LaserPower', 'high')).toMatchObject({ exitCode: 0 });
    expect((await azimuth('get', 'GateName')).stdout).toBe('Gate 3\n');
    const refused = await azimuth('set', 'LocationName', 'a name of more than 12');
    expect(refused.stderr).toMatch(/LocationName: Out Of Bounds \(7\) – .*expected 0 to 12 characters/);
  });

  test('knows its profiles', async () => {
    expect((await azimuth('set', 'PerformanceProfileNumber', '21')).stderr).toBe('');
    expect((await azimuth('get', 'PerformanceProfileNumber')).stdout).toMatch(/^21\b/);
    const { stderr } = await azimuth('set', 'PerformanceProfileNumber', '3');
    expect(stderr).toMatch(/21/);
  });

  test('keeps own parameters in a site file and in a backup', async () => {
    await azimuth('set', 'GateName', 'Gate 3');
    const folder = temporaryFolder();
    const site = join(folder, 'site.yaml');
    const backup = join(folder, 'gate.json');
    expect((await azimuth('export', site)).exitCode).toBe(0);
    expect((await azimuth('backup', backup)).stderr).not.toMatch(/azimuth:/);
    await azimuth('set', 'GateName', 'Other');
    const { stdout } = await azimuth('diff', backup);
    expect(stdout).toContain('GateName = "Other" → "Gate 3"');
    expect((await azimuth('apply', site, '--yes')).exitCode).toBe(0);
    expect((await azimuth('get', 'GateName')).stdout).toBe('Gate 3\n');
  });

  test('watches an own event', async () => {
    const { stdout, exitCode } = await azimuth('watch', 'LaserHours', '--count', '1', '--json');
    expect([JSON.parse(stdout), exitCode]).toMatchObject([{ event: 'LaserHours', data: 7 }, 0]);
  });

  test('shows its state, and finds no fault in the version of its firmware', async () => {
    expect((await azimuth('status')).stdout).toMatch(/^Scanner +GateScan 5\.0\.1 serial number /m);
    const { stdout } = await azimuth('doctor', '--all');
    expect(stdout).toMatch(/known faults: GateScan 5\.0\.1/);
    expect(stdout).toMatch(/what this variant of the scanner has: what a GateScan has/);
    expect(stdout).not.toContain('newer or older');
  });

  test('describes and finds own names', async () => {
    expect((await azimuth('describe', 'LaserHours')).stdout).toMatch(
      /^LaserHours – variable of the group Laser/,
    );
    const url = process.env.AZIMUTH_DEVICE ?? '';
    const { stdout } = await azimuth('describe', 'LocationName', '--device', url);
    expect(stdout).toMatch(/^type +string of up to 12 characters$/m);
    expect((await azimuth('describe', 'LocationName')).stdout).toMatch(/up to 32 characters/);
    expect((await azimuth('get', 'LaserHour')).stderr).toContain('did you mean LaserHours?');
  });
});

describe('azimuth firmware for a product', () => {
  const folder = () => {
    const made = temporaryFolder();
    writeFileSync(join(made, 'product.json'), JSON.stringify(definition));
    return (name: string) => join(made, name);
  };

  test('makes a file for its device type and its own version', async () => {
    const at = folder();
    const words = ['--product', at('product.json'), '--out', at('F.spk')];
    expect(await azimuth('firmware', 'build', '--release', '5.0.1', ...words)).toMatchObject({ exitCode: 0 });
    const { stdout } = await azimuth('firmware', 'inspect', at('F.spk'));
    expect(stdout).toMatch(/^release +5\.0\.1\ndeviceType +GateScan2\nproduct +GateScan\n/);
  });

  test('refuses a version that the product does not have, and one of a product without the product', async () => {
    const at = folder();
    const words = ['--out', at('F.spk')];
    const product = ['--product', at('product.json')];
    const other = await azimuth('firmware', 'build', '--release', '5.0.2', ...product, ...words);
    expect(other.stderr).toMatch(/--release: expected 5\.0\.0, 5\.0\.1 of .*, got "5\.0\.2"/);
    const without = await azimuth('firmware', 'build', '--release', '5.0.1', ...words);
    expect([without.exitCode, without.stderr]).toEqual([
      2,
      expect.stringContaining('is invalid. Expected 1.4.0'),
    ]);
  });

  test('signs it as any other file', async () => {
    const at = folder();
    await azimuth('firmware', 'keygen', '--out', at('keys'));
    const words = ['--product', at('product.json'), '--out', at('F.spk')];
    await azimuth('firmware', 'build', '--release', '5.0.1', ...words);
    await azimuth('firmware', 'sign', at('F.spk'), '--key', at('keys/firmware-private.pem'));
    const inspected = await azimuth(
      'firmware',
      'inspect',
      at('F.spk.signed'),
      '--key',
      at('keys/firmware-public.pem'),
    );
    expect(inspected.stdout).toMatch(/signature +good/);
  });
});

describe('a twin of a product of its own', () => {
  const file = () => {
    const path = join(temporaryFolder(), 'gate.json');
    writeFileSync(path, JSON.stringify(definition));
    return path;
  };

  test('is complete with the file of the product', async () => {
    const scanner = await TestScanner.start({ product: defineProduct(definition), serial: '23450001' });
    const url = scanner.service.url ?? '';
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    await azimuth('set', 'GateName', 'North', '--device', url);
    await azimuth('set', 'PerformanceProfileNumber', '21', '--device', url);
    const [folder, product] = [join(temporaryFolder(), 'twin'), file()];
    const cloned = await azimuth('clone', url, folder, '--product', product, '--json');
    expect(cloned.stderr).toBe('');
    const { command, notCloned } = JSON.parse(cloned.stdout);
    expect(command).toBe(`azimuth serve --data ${folder} --product ${product}`);
    expect(notCloned.filter((line: string) => /Gate|Laser|Profile/.test(line))).toEqual([]);
    const twin = await TestScanner.start({
      product: defineProduct(definition),
      storage: await FolderStorage.open(folder),
    });
    vi.stubEnv('AZIMUTH_DEVICE', twin.service.url ?? '');
    const { stdout } = await azimuth('get', 'GateName', 'PerformanceProfileNumber', '--json');
    expect(JSON.parse(stdout)).toEqual({ GateName: 'North', PerformanceProfileNumber: 21 });
  });

  test('is not made with the file of another product, or of a scanner of another one', async () => {
    const { url: builtIn = '' } = (await TestScanner.start({})).service;
    const folder = join(temporaryFolder(), 'twin');
    const { stderr, exitCode } = await azimuth('clone', builtIn, folder, '--product', file());
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('--product: the scanner is not of the product GateScan');
    expect(existsSync(folder)).toBe(false);
  });
});
