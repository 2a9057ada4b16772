import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeUdpPort } from '@azimuth/test-support/free-port';
import { object, parse } from '@azimuth/test-support/json';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { startScanner } from '@azimuth/testing';
import { expect, test } from 'vitest';
import { azimuth } from './run.js';

type Started = Awaited<ReturnType<typeof startScanner>>;

/** Sends all streams to a port. */
async function sendTo(scanner: Started, port: number): Promise<void> {
  const to = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port } as const;
  await scanner.client.write('ScanDataEthSettings', to);
  await scanner.client.write('ImuDataEthSettings', to);
  await scanner.client.write('ImuDataEnable', true);
  await scanner.client.write('ScanDataEnable', true);
}

const causesIn = (stdout: string) => {
  const { findings } = object(parse(stdout));
  return Array.isArray(findings) ? findings.map((finding) => object(finding).cause) : [];
};

test('a scanner is asked, its streams are judged, and nothing is wrong', async () => {
  await using scanner = await startScanner({ clock: 'real' });
  await sendTo(scanner, await freeUdpPort());
  const { stdout, exitCode } = await azimuth('timing', '--device', scanner.url, '--for', '3s');
  expect(stdout).toMatch(/^scan data of scanner 123456789 at 127\.0\.0\.1 \(Compact\): \d+ telegrams in/m);
  expect(stdout).toMatch(/^imu data at 127\.0\.0\.1/m);
  expect(stdout).toContain('scans at 15 Hz, 10 segments each');
  expect(stdout).toMatch(/last beam to arrival +[\d.]+ ms usually/);
  expect(stdout).toMatch(/nothing is wrong\n$/);
  expect(exitCode).toBe(0);
});

test('lost telegrams are a finding, with its own exit code, and as JSON', async () => {
  await using scanner = await startScanner({
    clock: 'real',
    faults: { seed: 1, faults: [{ kind: 'stream-loss', every: 20, stream: 'scan' }] },
  });
  const port = await freeUdpPort();
  await sendTo(scanner, port);
  const picture = join(temporaryFolder(), 'timing.png');
  const { stdout, exitCode } = await azimuth(
    'timing',
    '--listen',
    `${port}`,
    '--for',
    '2s',
    '--json',
    '--png',
    picture,
  );
  const lines = stdout.trim().split('\n');
  expect(causesIn(lines.at(-1) ?? '')).toEqual(['lost-segments']);
  expect(exitCode).toBe(5);
  expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
});
