import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundScanner } from '@azimuth/client/discover';
import { temporaryFolder } from '@azimuth/test-support/files';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DevicesFile } from '../src/scanners/devices-file.js';
import { addFound } from '../src/scanners/discovered-devices.js';

let devices: string;

beforeEach(() => {
  devices = join(temporaryFolder(), 'devices.yaml');
  vi.stubEnv('AZIMUTH_DEVICES', devices);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

function found(number: number, members: Partial<FoundScanner> = {}): FoundScanner {
  const address = `10.0.0.${number}`;
  return {
    ...{ mac: `00:06:77:00:00:0${number}`, address, url: `http://${address}` },
    serialNumber: `2450000${number}`,
    ...members,
  };
}

const add = (scanners: readonly FoundScanner[], prefix?: string) =>
  addFound(scanners, { prefix, yes: true, json: false });

async function named(): Promise<readonly (readonly [string, string])[]> {
  return (await DevicesFile.read()).content.devices.map(({ name, url }) => [name, url] as const);
}

describe('discover --add', () => {
  test('takes LocationName for a name, else the serial number, in a group', async () => {
    const scanners = [
      found(1, { location: 'Gate 3 (north)' }),
      found(2, { location: 'not defined' }),
      found(3),
    ];
    await add(scanners, 'hall');
    expect(await named()).toEqual([
      ['hall/Gate-3-north', 'http://10.0.0.1'],
      ['hall/24500002', 'http://10.0.0.2'],
      ['hall/24500003', 'http://10.0.0.3'],
    ]);
  });

  test('gives no two scanners one name', async () => {
    await add([1, 2].map((number) => found(number, { location: 'Gate' })));
    await add([found(3, { location: 'Gate', serialNumber: undefined })]);
    expect((await named()).map(([name]) => name)).toEqual(['Gate', 'Gate-24500002', 'Gate-2']);
  });

  test('keeps the names of scanners that have one, by their URL or their serial number', async () => {
    writeFileSync(devices, "devices:\n  mine: { url: 'http://10.0.0.1:80/' }\n", { mode: 0o600 });
    await add([found(1), found(2)]);
    await add([found(2, { url: 'http://10.0.0.77' })]);
    expect((await named()).toSorted()).toEqual([
      ['24500002', 'http://10.0.0.2'],
      ['mine', 'http://10.0.0.1:80/'],
    ]);
  });

  test('asks before, and changes nothing without an answer', async () => {
    const asked = addFound([found(1)], { prefix: undefined, yes: false, json: false });
    await expect(asked).rejects.toThrow('--yes');
    expect(existsSync(devices)).toBe(false);
  });

  test('makes names of hostile texts that can stand in a shell', async () => {
    await add([
      found(1, { location: '$(reboot); ../..' }),
      found(2, { location: '\u202e\u001b[2J', serialNumber: '; rm' }),
      found(3, { location: 'x'.repeat(200) }),
    ]);
    for (const [name] of await named()) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
  });
});
