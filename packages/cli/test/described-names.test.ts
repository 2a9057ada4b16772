import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { ownDescription } from '@azimuth/test-support/own-description';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { describedNames } from '../src/scanners/described-names.js';
import { azimuth } from './run.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'described-names.json');
  vi.stubEnv('AZIMUTH_DEVICES', join(folder, 'devices.yaml'));
});

/** A scanner that describes these names. */
async function described(description: string): Promise<void> {
  const device = await FakeDevice.start();
  onTestFinished(() => device.stop());
  device.prepare('/openapi.json', { raw: description });
  device.values.set('LaserPower', 1);
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
}

test('names that a scanner describes are stored for completion, those of the model are not', async () => {
  await described(ownDescription());
  await azimuth('get', 'LaserPower');
  const { variables, methods } = describedNames();
  expect(Object.keys(variables)).toEqual(['LaserHours', 'GateName', 'LaserPower', 'LaserState']);
  expect(variables.LaserPower).toEqual({
    text: 'Power of the laser.',
    isParameter: true,
    isEvent: false,
    value: ['LOW', 'HIGH'],
  });
  expect(variables.LaserState?.isEvent).toBe(true);
  expect(Object.keys(methods)).toContain('CalibrateLaser');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a scanner without names of its own leaves the stored ones', async () => {
  await described(ownDescription());
  await azimuth('get', 'LaserPower');
  const before = readFileSync(path, 'utf8');
  await described('{}');
  await azimuth('get', 'LaserPower');
  expect(readFileSync(path, 'utf8')).toBe(before);
});

const variable = { text: 'a', isParameter: true, isEvent: false, value: ['ON'] };

test.each([
  ['no JSON', '{'],
  ['another shape', '[]'],
  ['a name that is no word', JSON.stringify({ variables: { '$(reboot)': variable }, methods: {} })],
  [
    'a value that is no word',
    JSON.stringify({ variables: { A: { ...variable, value: ['a b'] } }, methods: {} }),
  ],
  ['a text of two lines', JSON.stringify({ variables: { A: { ...variable, text: 'a\nb' } }, methods: {} })],
  ['too many bytes', ' '.repeat(300_000)],
])('a file with %s gives no names', (_, content) => {
  writeFileSync(path, content);
  expect(describedNames()).toEqual({ variables: {}, methods: {} });
});

test('a file that cannot be written stops no command, and leaves no other file', async () => {
  mkdirSync(path);
  await described(ownDescription());
  expect((await azimuth('get', 'LaserPower')).stdout).toBe('1 HIGH\n');
  expect(readdirSync(folder)).toEqual(['described-names.json']);
});
