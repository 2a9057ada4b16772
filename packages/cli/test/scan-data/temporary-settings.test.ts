import { Scanner } from '@azimuth/client';
import { ScanDataFormat } from '@azimuth/model';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type SettingGroup, withTemporarySettings } from '../../src/scan-data/temporary-settings.js';

const ours = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 3999 };
const others = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 4999 };
const groups: readonly SettingGroup[] = [
  [
    { name: 'ScanDataEthSettings', value: ours },
    { name: 'ScanDataEnable', value: true },
  ],
];

/** A scanner whose time passes with each look at it. */
async function looked() {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  const client = new Scanner({ url: scanner.url, user: 'Service', password: 'servicelevel' });
  onTestFinished(() => client.close());
  const lines: string[] = [];
  const keeping = {
    told: (line: string) => void lines.push(line),
    wait: (ms: number) => scanner.advance(ms).then(() => undefined),
  };
  const settings = () => [scanner.read('ScanDataEthSettings'), scanner.read('ScanDataEnable')];
  /** Boots the scanner, until the command has told something of it. */
  const boot = async () => {
    await client.call('SoftReset', { ProcessorNbr: 0 });
    await expect.poll(() => lines).toHaveLength(1);
  };
  return { scanner, client, lines, keeping, settings, boot };
}

test('a scanner that has booted gets the settings again, and its own ones at the end', async () => {
  const { scanner, client, lines, keeping, settings, boot } = await looked();
  const before = settings();
  await withTemporarySettings(client, groups, keeping, async () => {
    await boot();
    expect(settings()).toEqual([ours, true]);
  });
  expect(lines).toEqual(['the scanner has started again: ScanDataEthSettings and ScanDataEnable set again']);
  expect(settings()).toEqual(before);
  expect(scanner.read('ScanDataEnable')).toBe(false);
});

test('what another client has changed meanwhile stays as it is, also after a boot', async () => {
  const { client, lines, keeping, settings, boot } = await looked();
  await withTemporarySettings(client, groups, keeping, async () => {
    await client.write('ScanDataEthSettings', { ...others, Protocol: 1 });
    await client.call('WriteEeprom');
    await boot();
  });
  expect(lines[0]).toContain('another client has changed it');
  expect(settings()[0]).toEqual(others);
});

test('a setting of the others that another client has changed stays as it is, too', async () => {
  const { scanner, client, lines, keeping, boot } = await looked();
  const withFormat: SettingGroup = [
    { name: 'ScanDataEthSettings', value: ours },
    { name: 'ScanDataFormat', value: ScanDataFormat.MSGPACK },
  ];
  await withTemporarySettings(client, [withFormat], keeping, async () => {
    await client.write('ScanDataFormat', ScanDataFormat.LMDscandata);
    await client.call('WriteEeprom');
    await boot();
  });
  expect(lines[0]).toContain('ScanDataFormat is 3: another client has changed it');
  expect(scanner.read('ScanDataFormat')).toBe(ScanDataFormat.LMDscandata);
});

test('settings that a killed command has left, unsaved, are set again after a boot, and restored', async () => {
  const { client, lines, keeping, settings, boot } = await looked();
  const before = settings();
  for (const { name, value } of groups[0] ?? []) await client.writeAny(name, value);
  await withTemporarySettings(client, groups, keeping, async () => {
    await boot();
    expect(settings()).toEqual([ours, true]);
  });
  expect(lines).toEqual(['the scanner has started again: ScanDataEthSettings and ScanDataEnable set again']);
  expect(settings()).toEqual(before);
});
