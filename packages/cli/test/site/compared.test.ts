import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

/** The oldest release, one without events, and the newest. */
const releases = ['1.5.0', '2.2.0', '2.4.4'] as const;

let scanners: readonly TestScanner[];
let folder: string;

beforeAll(async () => {
  scanners = await Promise.all(
    releases.map((release, index) => startScanner({ release, serial: `2450000${index}` })),
  );
});
afterAll(() => Promise.all(scanners.map((scanner) => scanner.close())));

beforeEach(() => {
  folder = temporaryFolder();
  const entries = scanners.map(({ url }, index) => `  hall/gate${index + 1}: { url: '${url}' }\n`);
  writeFileSync(join(folder, 'devices.yaml'), `devices:\n${entries.join('')}`, { mode: 0o600 });
  vi.stubEnv('AZIMUTH_DEVICES', join(folder, 'devices.yaml'));
  vi.stubEnv('AZIMUTH_PASSWORD', '');
});

const at = (name: string) => join(folder, name);

describe('a site of scanners of three releases', () => {
  test('has once what is equal, and applies to all of them without a difference', async () => {
    expect((await azimuth('export', '@hall/*', at('hall.yaml'))).exitCode).toBe(0);
    const text = readFileSync(at('hall.yaml'), 'utf8');
    // All releases have the first one; the oldest one lacks the others.
    for (const name of ['ScanDataEnable', 'EtherLegacyScanMode', 'enableCloningPlug']) {
      expect(text.split(`${name}:`), name).toHaveLength(2);
    }
    expect(await azimuth('apply', at('hall.yaml'), '--check')).toMatchObject({ exitCode: 0 });
    const { stderr } = await azimuth('apply', at('hall.yaml'), '--yes');
    expect(stderr).toMatch(/hall\/gate1: left out, as this scanner does not have it: .*SensorPosition/);
    expect(stderr).not.toMatch(/hall\/gate3: left out.*SensorPosition/);
  });

  test('has with --changed what differs from the factory, and nothing else', async () => {
    const [first, , third] = scanners;
    await first?.client.write('LocationName', 'Gate 1');
    await third?.client.write('TSCTCupdatetime', 33);
    await azimuth('export', '@hall/*', at('hall.yaml'), '--changed');
    const lines = readFileSync(at('hall.yaml'), 'utf8').split('\n');
    const parameters = lines.filter((line) => /^ {6}\w+:/.test(line)).map((line) => line.trim());
    expect(parameters).toContain('LocationName: Gate 1');
    expect(parameters).toContain('TSCTCupdatetime: 33 # s');
    expect(parameters.filter((line) => !/^(LocationName|TSCTCupdatetime|EtherIP)/.test(line))).toEqual([]);
    await first?.client.write('LocationName', 'not defined');
    await third?.client.write('TSCTCupdatetime', 10);
  });
});

describe('diff with a site file', () => {
  const hall = 'parameters:\n  EtherLegacyScanMode: DISABLED\n';

  test('compares each scanner in what the file has for it, and leaves out what the scanner lacks', async () => {
    writeFileSync(at('hall.yaml'), `${hall}groups:\n  hall/*: { parameters: { ScanDataEnable: on } }\n`);
    const { exitCode, stdout } = await azimuth('diff', at('hall.yaml'), '@hall/*');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 5,
      stdout: [
        'hall/gate1  ScanDataEnable = true → false',
        'hall/gate2  EtherLegacyScanMode = 2 DISABLED → 3 IP_CONFIG_TIME_LIMIT',
        'hall/gate2  ScanDataEnable = true → false',
        'hall/gate3  EtherLegacyScanMode = 2 DISABLED → 3 IP_CONFIG_TIME_LIMIT',
        'hall/gate3  ScanDataEnable = true → false',
        '',
      ].join('\n'),
    });
  });

  test('compares the scanners of the file, if none is named; the file may be the second side', async () => {
    writeFileSync(at('hall.yaml'), 'scanners:\n  hall/gate2: { parameters: { TSCTCupdatetime: 11 } }\n');
    expect((await azimuth('diff', at('hall.yaml'))).stdout).toBe('TSCTCupdatetime = 600 s → 11 s\n');
    expect((await azimuth('diff', 'factory', at('hall.yaml'))).stdout).toBe(
      'TSCTCupdatetime = 600 s → 11 s\n',
    );
    const other = await azimuth('diff', '@hall/gate3', at('hall.yaml'));
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain('says nothing about hall/gate3');
  });

  test('refuses another scanner than the one of the file, and two site files', async () => {
    writeFileSync(at('hall.yaml'), 'scanners:\n  hall/gate2:\n    serial: "23450009"\n');
    const { exitCode, stderr } = await azimuth('diff', at('hall.yaml'));
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is scanner 24500001, and '),
    });
    const two = await azimuth('diff', at('hall.yaml'), at('hall.yaml'));
    expect(two.stderr).toContain('expected one site file');
  });
});

test('diff takes the file of each scanner, and names a scanner without one', async () => {
  mkdirSync(at('backups'));
  const [, second, third] = scanners;
  for (const [name, scanner] of [
    ['hall-gate2', second],
    ['hall-gate3', third],
  ] as const) {
    const backup = await scanner?.client.backup();
    writeFileSync(at(`backups/${name}.json`), backup ?? '');
  }
  await third?.client.write('TSCTCupdatetime', 12);
  const { stdout, stderr } = await azimuth('diff', '@hall/*', at('backups/{scanner}.json'));
  await third?.client.write('TSCTCupdatetime', 10);
  expect(stdout).toBe('hall/gate3  TSCTCupdatetime = 12 s → 10 s\n');
  expect(stderr).toMatch(/hall\/gate1: .*hall-gate1\.json cannot be read: there is no such file/);
});
