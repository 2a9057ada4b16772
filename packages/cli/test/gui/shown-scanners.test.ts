import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shownScanners } from '../../src/gui/shown-scanners.js';

beforeEach(() => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'azimuth'));
  writeFileSync(
    join(folder, 'azimuth', 'devices.yaml'),
    'devices: {hall/gate3: {url: 192.0.2.3}, gate5: {url: http://192.0.2.5}}\ngroups: {night: [gate5]}\n',
  );
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});
afterEach(() => void vi.unstubAllEnvs());

test('scanners have the names and groups of the devices file, or their addresses', async () => {
  expect(await shownScanners({ device: ['@*', 'http://192.0.2.7/', '192.0.2.5'] })).toEqual([
    { name: 'hall/gate3', url: 'http://192.0.2.3', group: 'hall' },
    { name: 'gate5', url: 'http://192.0.2.5', group: 'night' },
    { name: 'http://192.0.2.7/', url: 'http://192.0.2.7', group: '' },
  ]);
});

test('the environment may name them, too', async () => {
  vi.stubEnv('AZIMUTH_DEVICE', '@night');
  expect(await shownScanners({})).toEqual([{ name: 'gate5', url: 'http://192.0.2.5', group: 'night' }]);
});
