import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@azimuth/monitor';
import { temporaryFolder } from '@azimuth/test-support/files';
import { until } from '@azimuth/test-support/waiting';
import { startScanner } from '@azimuth/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MonitorSite } from '../../src/monitor/monitor-site.js';
import { chosenScanners } from '../../src/scanners/chosen.js';
import { azimuth } from '../run.js';

async function named() {
  const folder = temporaryFolder();
  const scanner = await startScanner({ asDevice: true, serial: '24500001' });
  onTestFinished(() => scanner.close());
  const path = join(folder, 'devices.yaml');
  writeFileSync(path, `devices:\n  hall/gate1: { url: '${scanner.url}' }\n`);
  vi.stubEnv('AZIMUTH_DEVICES', path);
  vi.stubEnv('AZIMUTH_PASSWORD', '');
  return { folder, scanner, site: join(folder, 'hall.yaml') };
}

describe('the site file of a monitor', () => {
  test('says the values of each scanner by their names in requests, and its serial number', async () => {
    const { site } = await named();
    writeFileSync(
      site,
      'parameters: { ScanDataEthSettings: { Port: 2116 } }\nscanners: { hall/gate1: { serial: 24500001 } }\n',
    );
    const { targets } = await chosenScanners({ device: ['@hall/*'] });
    const read = await MonitorSite.read(site, targets);
    expect(read.serialOf(targets[0])).toBe('24500001');
    expect([...(read.expectedOf(targets[0]) ?? [])]).toEqual([['ScanDataEthSettings', { Port: 2116 }]]);
  });

  test('is read again when it changes; one with mistakes does not count', async () => {
    const { site } = await named();
    writeFileSync(site, 'parameters: { TSCTCupdatetime: 10 }\n');
    const { targets } = await chosenScanners({ device: ['@hall/*'] });
    const read = await MonitorSite.read(site, targets);
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const texts = ['parameters: { TSCTCupdatetime: 0 }\n', 'parameters: { TSCTCupdatetime: 30 }\n'];
    const seen: unknown[] = [];
    const ending = new AbortController();
    await read.follow(
      {
        now: () => systemClock.now(),
        pause: async () => {
          seen.push(read.expectedOf(targets[0])?.get('TSCTCupdatetime'));
          const text = texts.shift();
          if (text !== undefined) writeFileSync(site, text);
          if (seen.length === 4) ending.abort();
        },
      },
      ending.signal,
    );
    expect(seen).toEqual([10, 10, 30, 30]);
    expect(stderr.mock.calls.map(([text]) => String(text)).join('')).toMatch(
      /hall\.yaml:1:32: TSCTCupdatetime: expected 1 to 3600, got 0\. What the site file said before still counts/,
    );
    stderr.mockRestore();
  });
});

describe('azimuth monitor', () => {
  test('tells the drift from a site file, and archives at its start, by the public interface of a device', async () => {
    const { folder, site } = await named();
    writeFileSync(site, 'parameters: { TSCTCupdatetime: 10 }\n');
    const [log, archive] = [join(folder, 'log'), join(folder, 'archive')];
    const words = ['--device', '@hall/*', '--port', '0', '--interval', '1'];
    const running = azimuth(
      'monitor',
      ...words,
      '--site',
      site,
      '--archive',
      archive,
      '--log',
      log,
      '--json',
    );
    const logged = async () => (await azimuth('log', '--log', log, '--json')).stdout;
    try {
      await until(async () => (await logged()).includes('"drift"'));
      await until(async () => (await logged()).includes('"backup"'));
    } finally {
      process.emit('SIGINT');
    }
    expect((await running).exitCode).toBe(0);
    expect(await logged()).toMatch(/"text":"TSCTCupdatetime"/);
    expect(readdirSync(join(archive, 'hall-gate1'))).toHaveLength(1);
  });

  test('refuses a site file with mistakes at its start', async () => {
    const { site } = await named();
    writeFileSync(site, 'parameters: { TSCTCupdatetim: 10 }\n');
    const { exitCode, stderr } = await azimuth('monitor', '--device', '@hall/*', '--site', site);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('hall.yaml:1:15: there is no parameter "TSCTCupdatetim"; did you mean');
  });
});
