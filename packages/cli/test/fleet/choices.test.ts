import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { listening } from '@azimuth/test-support/listening';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

const fleet = (...words: readonly string[]) => azimuth('fleet', ...words);

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(path, text);
  return path;
}

test('status lists the scanners in a state, of all or of a pattern', async () => {
  const some = await someFleet(scannerFacts(12));
  vi.stubEnv('AZIMUTH_FLEET', some.url);
  await some.fleet.switchOff(some.fleet.virtualMatching('*2'));
  const serials = async (...words: readonly string[]) =>
    (await fleet('status', '--json', ...words)).stdout
      .split('\n')
      .map((line) => /"serialNumber":"(\d+)"/.exec(line)?.[1] ?? '')
      .filter((serial) => serial !== '');
  expect(await serials('--state', 'off')).toEqual(['2', '12']);
  expect(await serials('1*', '--state', 'off')).toEqual(['12']);
  expect(await serials('1*', '--state', 'idle')).toEqual(['1', '10', '11']);
  expect(await fleet('status', '1*', '--state', 'failed')).toEqual({
    stdout: 'SCANNER  GROUP  RELEASE  STATE  REQUESTS  UNSAVED  FAULTS\n',
    stderr: '',
    exitCode: 0,
  });
  expect(await fleet('status', '99*', '--state', 'off')).toMatchObject({
    stderr: 'azimuth: no scanner of the fleet matches "99*"\n',
    exitCode: 2,
  });
});

test('status tells programs where each scanner is', async () => {
  const some = await someFleet(scannerFacts(1));
  vi.stubEnv('AZIMUTH_FLEET', some.url);
  expect(JSON.parse((await fleet('status', '--json')).stdout)).toMatchObject({
    url: `${some.url}/scanners/1`,
    ports: { http: null, https: null, legacyA: null, legacyB: null },
  });
});

test('events of scanners that the fleet does not have are an error', async () => {
  const some = await someFleet(scannerFacts(1));
  expect(await fleet('events', '7*', '--fleet', some.url)).toEqual({
    stdout: '',
    stderr: 'azimuth: no scanner of the fleet matches "7*"\n',
    exitCode: 2,
  });
});

test('a state that there is not is an error that lists the states', async () => {
  const { stderr, exitCode } = await fleet('status', '--state', 'broken');
  expect(stderr).toMatch(
    /'broken' is invalid\. Allowed choices are off, idle, running, failed, online, unreachable, wrong-serial, locked-out, waiting, silent\.\n$/,
  );
  expect(exitCode).toBe(2);
});

test('top shows the scanners of a pattern alone, and counts their states', async () => {
  const listed = ['running', 'off', 'off'].map((state, index) => ({
    ...{ serialNumber: `7${index}`, group: 'gate', state, release: '2.4.4', path: `/scanners/7${index}` },
    ...{ requests: 5, telegrams: 0, unsaved: 1 - Math.sign(index), faults: 0 },
  }));
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    // One output at the start, and one for each refresh: the fleet ends at the second one.
    if (asked.filter((path) => path === '/scanners?q=gate%2F*').length > 2) server.closeAllConnections();
    else if (url === '/fleet') response.end('{"scanners":900,"states":{"idle":900},"memory":50000000}');
    else response.end(JSON.stringify(listed));
  });
  vi.stubEnv('AZIMUTH_FLEET', `127.0.0.1:${await listening(server)}`);
  const { stdout, exitCode } = await fleet('top', 'gate/*');
  expect(stdout.replaceAll('\u001b[2J\u001b[H', '').split('\n').slice(0, 3)).toEqual([
    '3 scanners: 1 running, 2 off; 50 MB',
    'SCANNER  GROUP  STATE    REQUESTS/s  TELEGRAMS/s  UNSAVED  FAULTS',
    '70       gate   running  0           0            1        0',
  ]);
  expect(exitCode).toBe(3);
});

const twoGroups = 'groups: {hall: {count: 1}, gate: {count: 1, release: 2.2.0, address: 127.0.9.1}}';

test.each([
  [['--first-serial', '7'], '--first-serial: with a fleet file, give its groups serial or first'],
  [['--own-ports', '8100'], '--own-ports: with a fleet file, give its groups a port'],
  [['--count', '7'], '--count: with a fleet file, its groups say how many'],
])('%j has no effect on a fleet file, and is refused', async (words, message) => {
  expect(await fleet('run', fileWith(twoGroups), ...words)).toEqual({
    stdout: '',
    stderr: `azimuth: ${message}\n`,
    exitCode: 2,
  });
});

test.each([
  [['--first-serial', '7'], 'expected a fleet file, or --count: azimuth fleet run --count 20'],
  [['--count', '9', '--own-ports', '0'], '--own-ports: expected a port from 1 to 65535, got 0'],
  [
    ['--count', '9', '--own-ports', '7995'],
    '--own-ports: 127.0.0.1:8000 is the port of the fleet itself; choose another port or address, or give the fleet another --port',
  ],
])('%j is refused', async (words, message) => {
  expect(await fleet('run', ...words)).toEqual({ stdout: '', stderr: `azimuth: ${message}\n`, exitCode: 2 });
});

test('--dry-run lists the scanners, as lines or as JSON', async () => {
  const path = fileWith(twoGroups);
  expect(await fleet('run', path, '--dry-run')).toEqual({
    stdout: '00000001  hall\n00000002  gate  127.0.9.1:8080\n',
    stderr: '',
    exitCode: 0,
  });
  const { stdout } = await fleet('run', path, '--dry-run', '--json');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { serialNumber: '00000001', group: 'hall', release: '2.4.4', variant: 'full', ports: null },
    {
      ...{ serialNumber: '00000002', group: 'gate', release: '2.2.0', variant: 'full' },
      ports: { host: '127.0.9.1', http: 8080, https: 8443, legacyA: 2111, legacyB: 2112 },
    },
  ]);
  expect((await fleet('run', '--count', '2', '--first-serial', '70', '--dry-run')).stdout).toBe(
    '70  fleet\n71  fleet\n',
  );
  expect((await fleet('run', '--count', '1', '--dry-run')).stdout).toBe('10000001  fleet\n');
  expect((await fleet('apply', path, '--dry-run', '--json')).stdout).toBe('{"scanners":2,"files":0}\n');
});
