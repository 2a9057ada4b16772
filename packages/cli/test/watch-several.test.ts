import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { FakeEvents, httpResponse } from '@azimuth/test-support/fake-events';
import { listening } from '@azimuth/test-support/listening';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let gate: FakeEvents;
let yard: FakeEvents;
let devices: string;

beforeEach(async () => {
  [gate, yard] = await Promise.all([FakeEvents.start(), FakeEvents.start()]);
  devices = join(temporaryFolder(), 'devices.yaml');
  writeFileSync(devices, `devices:\n  gate: { url: "${gate.url}" }\n  yard: { url: "${yard.url}" }\n`, {
    mode: 0o600,
  });
  vi.stubEnv('AZIMUTH_DEVICES', devices);
  vi.stubEnv('AZIMUTH_DEVICE', '');
});

/** Returns the output of the running command so far. */
const printed = (stream: 'stdout' | 'stderr') =>
  vi
    .mocked(process[stream].write)
    .mock.calls.map(([text]) => String(text))
    .join('');

/** The lines without the time of day, sorted: the order of the scanners does not matter. */
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\d\d:\d\d:\d\d\.\d{3} {2}/, ''));

const objects = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { at: _, ...rest } = JSON.parse(line).result;
      return { scanner: JSON.parse(line).scanner, ...rest };
    });

describe('a scanner that is down at first', () => {
  test('is named, tried again, and watched when it is there', async () => {
    await yard.down();
    const running = azimuth('watch', '@*', 'DeviceStatus', '--count', '1');
    await expect.poll(() => printed('stdout')).toContain('lost');
    expect(printed('stdout')).toMatch(
      /^yard {2}\S+ {2}lost {2}.* cannot be reached: ECONNREFUSED; trying again/m,
    );
    await yard.up();
    const { stdout, exitCode } = await running;
    expect(
      lines(stdout)
        .filter((line) => line.startsWith('yard'))
        .slice(1),
    ).toEqual(['yard  back  connected again', 'yard  DeviceStatus  3 DS_NormalOperation']);
    expect(lines(stdout)).toContain('gate  DeviceStatus  3 DS_NormalOperation');
    expect(exitCode).toBe(0);
  });

  test('with --json and --all is an object of its own, too', async () => {
    yard.values.set('DeviceStatus', 3);
    gate.values.set('DeviceStatus', 3);
    await yard.down();
    const running = azimuth('watch', '@*', '--all', '--count', '1', '--json');
    await expect.poll(() => printed('stdout')).toContain('"connection":"lost"');
    await yard.up();
    expect(objects((await running).stdout).filter(({ scanner }) => scanner === 'yard')).toEqual([
      { scanner: 'yard', connection: 'lost', reason: expect.stringContaining('ECONNREFUSED') },
      { scanner: 'yard', connection: 'back' },
      { scanner: 'yard', event: 'DeviceStatus', data: 3 },
    ]);
  });

  test.each([['DeviceStatus'], ['--all']])(
    'or something else that answers is tried again: watch %s',
    async (what) => {
      const page = `http://127.0.0.1:${await listening(createServer((_, response) => response.writeHead(503).end('busy')))}`;
      writeFileSync(devices, `devices:\n  gate: { url: "${gate.url}" }\n  yard: { url: "${page}" }\n`);
      const { stdout, exitCode } = await azimuth('watch', '@*', what, '--timeout', '0.5');
      expect(stdout).toMatch(/^yard {2}\S+ {2}lost {2}.*; trying again/m);
      expect(exitCode).toBe(0);
    },
  );

  test('is no failure where nothing was counted on', async () => {
    await yard.down();
    const { stdout, stderr, exitCode } = await azimuth('watch', '@*', 'DeviceStatus', '--timeout', '0.5');
    expect(lines(stdout).some((line) => line.startsWith('yard  lost  '))).toBe(true);
    expect([stderr, exitCode]).toEqual([`azimuth: gate: connected to ${gate.url}\n`, 0]);
  });
});

test('a scanner that is lost and comes back is told in the stream, and the others go on meanwhile', async () => {
  const running = azimuth('watch', '@*', 'DeviceStatus', '--count', '2');
  const [here, there] = await Promise.all([gate.connections.next(), yard.connections.next()]);
  await Promise.all([here.messages.next(), there.messages.next()]);
  there.socket.ping();
  await once(there.socket, 'pong');
  await yard.down();
  await expect.poll(() => printed('stdout')).toContain('lost');
  here.push('DeviceStatus', { DeviceStatus: 2 });
  await expect.poll(() => printed('stdout')).toMatch(/gate .*2 DS_/);
  yard.data.set('DeviceStatus', { DeviceStatus: 1 });
  await yard.up();
  expect(lines((await running).stdout).filter((line) => line.startsWith('yard'))).toEqual([
    'yard  DeviceStatus  3 DS_NormalOperation',
    'yard  lost  the connection was lost; trying again, Ctrl-C ends',
    'yard  back  connected again',
    'yard  DeviceStatus  1 DS_Startup',
  ]);
});

describe('an event that one scanner does not have', () => {
  test('is told at once, and costs neither the others nor its other events', async () => {
    gate.data.set('ContaminationResult', { ContaminationResult: 1 });
    const running = azimuth(
      'watch',
      '@*',
      'ContaminationResult',
      'DeviceStatus',
      '--timeout',
      '5',
      '--count',
      '2',
    );
    await expect
      .poll(() => printed('stderr'))
      .toContain('azimuth: yard: ContaminationResult: the scanner has no such event (1)');
    const connection = await yard.connections.next();
    await connection.registered(2);
    connection.push('DeviceStatus', { DeviceStatus: 1 });
    const { stdout, stderr, exitCode } = await running;
    expect(
      lines(stdout)
        .filter((line) => line.startsWith('yard'))
        .map((line) => line.split(/ +/)[1]),
    ).toEqual(['DeviceStatus', 'DeviceStatus']);
    expect(lines(stdout).filter((line) => line.startsWith('gate'))).toHaveLength(2);
    expect(stderr.match(/ContaminationResult/g)).toHaveLength(2);
    expect(exitCode).toBe(0);
  });

  test('is not told again after a reconnection', async () => {
    const running = azimuth('watch', '@yard', 'ContaminationResult', 'DeviceStatus', '--count', '2');
    const connection = await yard.connections.next();
    await connection.registered(2);
    connection.socket.ping();
    await once(connection.socket, 'pong');
    await yard.down();
    yard.data.set('DeviceStatus', { DeviceStatus: 1 });
    await yard.up();
    const { stderr, exitCode } = await running;
    expect(stderr.match(/no such event/g)).toHaveLength(1);
    expect(exitCode).toBe(0);
  });
});

describe('a scanner that cannot be watched at all', () => {
  beforeEach(() => {
    yard.refusals.push(httpResponse(404));
    yard.values.set('DeviceIdent', { Name: 'Scanner', Version: '2.2.0.0R' });
  });
  const older =
    /azimuth: yard: .* has no events: they need release 2\.3\.1 or newer, this scanner runs 2\.2\.0\.0R\n/;

  test('is told at once, and costs the others nothing', async () => {
    const running = azimuth('watch', '@*', 'DeviceStatus', '--timeout', '5');
    await expect.poll(() => printed('stderr')).toMatch(older);
    const connection = await gate.connections.next();
    await connection.messages.next();
    connection.push('DeviceStatus', { DeviceStatus: 1 });
    await expect.poll(() => printed('stdout')).toContain('1 DS_Startup');
    process.emit('SIGINT');
    const { stderr, exitCode } = await running;
    expect(stderr.match(/has no events/g)).toHaveLength(1);
    expect(exitCode).toBe(0);
  });

  test('fails the command if values of each were counted on', async () => {
    const { stderr, exitCode } = await azimuth('watch', '@*', 'DeviceStatus', '--count', '1');
    expect(stderr).toMatch(/azimuth: 1 of 2 scanners failed\n$/);
    expect(exitCode).toBe(1);
  });

  test('fails the command if there is no other', async () => {
    gate.refusals.push(httpResponse(404));
    gate.values.set('DeviceIdent', { Name: 'Scanner', Version: '2.2.0.0R' });
    const { stderr, exitCode } = await azimuth('watch', '@*', 'DeviceStatus');
    expect(stderr).toMatch(older);
    expect(stderr).toMatch(/azimuth: 2 of 2 scanners failed\n$/);
    expect(exitCode).toBe(1);
  });
});
