import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@azimuth/test-support/free-port';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ListedScanner, statusTable } from '../src/parameters/status-table.js';
import { azimuth } from './run.js';

const at = new Date('2026-05-04T10:00:00Z');

/** A scanner without trouble, but for these values. */
function listed(label: string, values: Readonly<Record<string, unknown>> = {}): ListedScanner {
  return {
    label,
    at,
    unsaved: null,
    values: new Map<string, unknown>(
      Object.entries({ DeviceStatus: 3, DeviceIdent: { Name: 'x', Version: '2.3.1.0R' }, ...values }),
    ),
  };
}

const names = (lines: readonly string[]) => lines.slice(1).map((line) => line.split(/\s/)[0]);

describe('the table of several scanners', () => {
  test('begins with those in trouble, the worst first, and keeps the order otherwise', () => {
    const lines = statusTable(
      [
        listed('fine1'),
        listed('dirty', { ContaminationResult: { bErrorActive: false, bWarningActive: true } }),
        { label: 'away', failure: 'http://10.0.0.9 cannot be reached: ETIMEDOUT' },
        listed('broken', { DeviceStatus: 7 }),
        listed('fine2'),
        listed('hot', { temperatureAlarmStatus: true, CurrentTempDev: 71.2 }),
        { ...listed('changed'), unsaved: ['LocationName'] },
      ],
      false,
    );
    expect(names(lines)).toEqual(['away', 'broken', 'dirty', 'hot', 'changed', 'fine1', 'fine2']);
    expect(lines[1]).toMatch(/^away +no answer .*http:\/\/10\.0\.0\.9 cannot be reached: ETIMEDOUT$/);
    expect(lines[4]).toContain('71 °C, alarm');
  });

  test('has no column for reasons if there are none', () => {
    const [head] = statusTable([listed('fine')], false);
    expect(head).toBe('NAME  STATE            RELEASE  TEMPERATURE  DIRT  UNSAVED    STREAMS  CLOCK  SERIAL');
  });

  test('has colours only where they are wanted', () => {
    const scanners = [listed('fine'), listed('broken', { DeviceStatus: 8 })];
    expect(statusTable(scanners, false).join('')).not.toContain('\u001b');
    expect(statusTable(scanners, true)[1]).toContain('\u001b[31mbroken');
  });

  test('is no way into the terminal for what a scanner sends', () => {
    const hostile = listed('gate', {
      DeviceIdent: { Name: 'x', Version: '\u001b[2J' },
      SerialNumber: '\u001b]0;owned\u0007',
      LSPdatetime: 'tomorrow',
      ContaminationResult: 'yes',
      CurrentTempDev: { very: 'hot' },
    });
    const [, line] = statusTable([hostile], false);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line).toContain('\\u001b[2J');
  });
});

describe('azimuth status with several scanners', () => {
  let scanners: readonly TestScanner[];

  beforeAll(async () => {
    scanners = await Promise.all(
      (['1.5.0', '2.2.0', '2.4.4'] as const).map((release) =>
        startScanner({ release, asDevice: true, serial: `245${release.replaceAll('.', '')}00` }),
      ),
    );
  });
  afterAll(() => Promise.all(scanners.map((scanner) => scanner.close())));

  let away: string;

  beforeEach(async () => {
    away = `http://127.0.0.1:${await freePort()}`;
    const urls = [...scanners.map(({ url }) => url), away];
    const path = join(temporaryFolder(), 'devices.yaml');
    const entries = urls.map((url, index) => `  hall/gate${index + 1}: { url: '${url}' }\n`);
    writeFileSync(path, `devices:\n${entries.join('')}`, { mode: 0o600 });
    vi.stubEnv('AZIMUTH_DEVICES', path);
  });

  test('has a line for each, also for the one that does not answer', async () => {
    const { stdout, stderr, exitCode } = await azimuth('status', '@hall/*');
    const lines = stdout.trimEnd().split('\n');
    expect(names(lines)[0]).toBe('hall/gate4');
    expect(names(lines).toSorted()).toEqual(['hall/gate1', 'hall/gate2', 'hall/gate3', 'hall/gate4']);
    expect(lines[1]).toMatch(/no answer .*ECONNREFUSED/);
    for (const release of ['1.5.0', '2.2.0', '2.4.4']) expect(stdout).toContain(` ${release} `);
    // Devices do not report what they have saved.
    expect(stdout.match(/ not known /g)).toHaveLength(3);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('1 of 4 scanners failed');
  });

  test('prints JSON and the screen of one scanner as for one', async () => {
    const { stdout } = await azimuth('status', '@hall/gate1', '@hall/gate3', '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { scanner: 'hall/gate1', result: { unsaved: null, DeviceStatus: expect.any(Number) } },
      { scanner: 'hall/gate3', result: { url: scanners[2]?.url } },
    ]);
    expect((await azimuth('status', '@hall/gate1')).stdout).toMatch(/^Name +not defined\nScanner /);
  });
});
