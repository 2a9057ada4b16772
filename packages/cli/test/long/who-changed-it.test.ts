import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Scanner } from '@azimuth/client';
import { defaultLimits, FolderLog, MemoryLastParameters, Monitor, systemClock } from '@azimuth/monitor';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from '../run.js';

test('the log says who has changed a parameter by a command, and by whom it does not know', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'azimuth-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  vi.stubEnv('AZIMUTH_LOG', folder);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  const scanner = await startScanner({ asDevice: true });
  onTestFinished(() => scanner.close());
  const complaints: string[] = [];
  const store = await FolderLog.open({ folder, clock: systemClock, report: (text) => complaints.push(text) });
  const lastParameters = new MemoryLastParameters();
  const monitor = new Monitor({
    ...{ clock: systemClock, store, outputs: [], interval: 1, parameters: 5, random: Math.random },
    scanners: [{ name: 'hall/gate3', scanner: new Scanner({ url: scanner.url }), limits: defaultLimits }],
    lastParameters,
    reportError: (error) => complaints.push(String(error)),
  });
  await monitor.start();
  onTestFinished(() => monitor.close());
  const changes = async () => (await azimuth('log', '--kind', 'parameter', '--log', folder)).stdout;

  // All parameters have to be read once before a change can be seen.
  const isRead = async () => (await lastParameters.read('hall/gate3'))?.parameters.has('LocationName');
  await expect.poll(isRead, { timeout: 60_000 }).toBe(true);
  await azimuth('set', 'LocationName', 'Gate 3', '--device', scanner.url);
  const by = `by ${userInfo().username}@${hostname()} (set)`;
  await expect.poll(changes, { timeout: 60_000 }).toContain(`changed from "not defined" to "Gate 3", ${by}`);

  const other = new Scanner({ url: scanner.url, user: 'Service', password: 'servicelevel' });
  await other.write('LocationName', 'Gate 4');
  await expect.poll(changes, { timeout: 60_000 }).toMatch(/changed from "Gate 3" to "Gate 4"$/m);
  expect(complaints).toEqual([]);
});
