import { type SomeFleet, scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

/** Nine scanners, 1 to 9. */
async function nineScanners(): Promise<SomeFleet> {
  const some = await someFleet(scannerFacts(9));
  vi.stubEnv('AZIMUTH_FLEET', some.url);
  return some;
}

const sim = (...words: readonly string[]) => azimuth('fleet', 'sim', ...words);

/** Temperatures of the scanners, by their serial numbers. */
async function temperatures(pattern: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await sim(pattern, 'status');
  const found = stdout.matchAll(/^(\d) +temperature +(\S+) /gm);
  return Object.fromEntries([...found].map(([, serial = '', celsius = '']) => [serial, celsius]));
}

test('one that is off does not keep the others from being served, and is named with its reason', async () => {
  const { fleet, url } = await nineScanners();
  await fleet.switchOff(fleet.virtualMatching('2'));
  expect(await sim('*', 'temperature', '60')).toEqual({
    stdout: '',
    stderr: [
      `azimuth: 2: ${url}/scanners/2/x/sim answered HTTP 502: The scanner 2 does not answer: its power is off`,
      'azimuth: 1 of 9 scanners failed',
      '',
    ].join('\n'),
    exitCode: 3,
  });
  await fleet.switchOn(fleet.virtualMatching('2'));
  const { 2: off, ...others } = await temperatures('*');
  expect(off).toBe('22');
  expect(Object.values(others)).toEqual(Array(8).fill('60'));
});

test('with --json, each failure is an object with the serial number', async () => {
  const { fleet } = await nineScanners();
  await fleet.switchOff(fleet.virtualMatching('2'));
  const { stdout, stderr, exitCode } = await sim('*', 'encoder', '5', '--json');
  expect(stdout.split('\n')[0]).toBe('{"scanner":"1","result":{"ok":true}}');
  expect(stdout.trim().split('\n')).toHaveLength(8);
  expect(JSON.parse(stderr)).toMatchObject({
    scanner: '2',
    error: expect.stringContaining('its power is off'),
    exitCode: 3,
  });
  expect(exitCode).toBe(3);
});

test('one that is named alone fails with its reason alone', async () => {
  const { fleet, url } = await nineScanners();
  await fleet.switchOff(fleet.virtualMatching('2'));
  expect(await sim('2', 'encoder', '5')).toEqual({
    stdout: '',
    stderr: `azimuth: ${url}/scanners/2/x/sim answered HTTP 502: The scanner 2 does not answer: its power is off\n`,
    exitCode: 3,
  });
  expect((await sim('3', 'contamination', '2')).exitCode).toBe(2);
});

test('what a pattern prints has the serial number in front of each line, or as a member', async () => {
  await nineScanners();
  const add = ['fault', 'add', 'stream-loss', '--probability', '0.05'];
  expect((await sim('*', ...add)).stdout).toBe([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${n}  1\n`).join(''));
  expect((await sim('3*', ...add, '--json')).stdout).toBe('{"scanner":"3","result":{"ok":true,"ids":[2]}}\n');
  expect((await sim('3*', 'fault', 'list')).stdout).toMatch(
    /^3 {2}1 {2}stream-loss: .*\n3 {2}2 {2}stream-loss: /,
  );
  expect((await sim('3*', 'scene')).stdout).toMatch(/^3 {2}\{\n3 {4}"\$schema"/);
  expect((await sim('3*', 'contamination', '0.5')).stderr).toMatch(
    /^azimuth: 3: Contamination detection is off/,
  );
  // A scanner that is named alone is printed as azimuth sim does.
  expect((await sim('3', ...add)).stdout).toBe('3\n');
  expect((await sim('3', 'fault', 'list')).stdout).toMatch(/^1 {2}stream-loss/);
  expect((await sim('--json', '3', 'encoder', '1')).stdout).toBe('{"ok":true}\n');
});

test('wrong words are refused once, before any scanner is asked', async () => {
  const { fleet } = await nineScanners();
  expect(await sim('*', 'temperature', 'warm')).toEqual({
    stdout: '',
    stderr: 'azimuth: temperature: expected a number, got "warm"\n',
    exitCode: 2,
  });
  expect(await sim('*', 'temperature', '50', '--control', 'http://127.0.0.1:9')).toMatchObject({
    stderr: 'azimuth: --control: the scanners of a fleet are reached by its port: give --fleet\n',
    exitCode: 2,
  });
  expect(await sim('nobody', 'temperature', '50')).toMatchObject({
    stderr: 'azimuth: no scanner of the fleet matches "nobody"\n',
    exitCode: 2,
  });
  expect(fleet.states).toMatchObject({ idle: 9 });
});

test('other commands tell the reason that the fleet gives, too', async () => {
  const { fleet, url } = await nineScanners();
  await fleet.switchOff(fleet.virtualMatching('2'));
  const get = (serial: string) => azimuth('get', 'LocationName', '--device', `${url}/scanners/${serial}`);
  expect(await get('2')).toEqual({
    stdout: '',
    stderr: `azimuth: ${url}/scanners/2 cannot be reached: The scanner 2 does not answer: its power is off\n`,
    exitCode: 3,
  });
  expect((await get('17')).stderr).toContain(
    'answered HTTP 404: This fleet has no scanner with this serial number.\n',
  );
  expect(await azimuth('watch', 'DeviceStatus', '--device', `${url}/scanners/17`)).toMatchObject({
    stderr: expect.stringContaining(
      'answered HTTP 404: This fleet has no scanner with this serial number.\n',
    ),
    exitCode: 3,
  });
  expect(await azimuth('watch', 'DeviceStatus', '--device', `${url}/scanners/2`)).toMatchObject({
    stderr: `azimuth: ${url}/scanners/2 cannot be reached: The scanner 2 does not answer: its power is off\n`,
    exitCode: 3,
  });
});

test('--fleet may stand anywhere in the command line, and behind -- it is a value', async () => {
  const { url } = await nineScanners();
  vi.stubEnv('AZIMUTH_FLEET', 'http://127.0.0.1:9');
  const places = [
    ['--fleet', url, '7', 'temperature', '41'],
    ['7', '--fleet', url, 'temperature', '42'],
    ['7', 'temperature', `--fleet=${url}`, '43'],
    ['7', 'temperature', '44', '--fleet', url],
  ];
  for (const [index, words] of places.entries()) {
    expect(await sim(...words)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const { stdout } = await sim('7', 'status', '--fleet', url);
    expect(stdout).toContain(`${41 + index} `);
  }
  expect(await sim('7', 'status', '--fleet')).toMatchObject({
    stderr: 'azimuth: --fleet: expected a URL behind it\n',
    exitCode: 2,
  });
  expect((await sim('7', 'status', '--', '--fleet', url)).exitCode).toBe(2);
});
