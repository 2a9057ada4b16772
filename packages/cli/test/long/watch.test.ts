import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FakeEvents, httpResponse } from '@azimuth/test-support/fake-events';
import { ended, Reader } from '@azimuth/test-support/serve-process';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

const bin = fileURLToPath(new URL('../../bin/azimuth.js', import.meta.url));

let device: FakeEvents;
beforeEach(async () => {
  device = await FakeEvents.start();
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
});

const connected = () => `azimuth: connected to ${device.url}\n`;

/** The printed lines, without the time of day. */
function lines(stdout: string): string[] {
  const printed = stdout.trimEnd().split('\n');
  for (const line of printed) expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}\S/);
  return printed.map((line) => line.slice(14));
}

/** The command as a process of its own, from the build. */
function start(...argv: readonly string[]) {
  const env = { ...process.env, NODE_OPTIONS: '', AZIMUTH_DEVICE: device.url };
  return spawn(process.execPath, [bin, 'watch', ...argv], { env });
}

describe('lines', () => {
  test('show the event, and the value as get does', async () => {
    device.data.set('temperatureAlarmStatus', { temperatureAlarmStatus: true });
    const { stdout, stderr, exitCode } = await azimuth(
      'watch',
      'DeviceStatus',
      'temperatureAlarmStatus',
      '--count',
      '2',
    );
    expect([stderr, exitCode]).toEqual([connected(), 0]);
    expect(lines(stdout)).toEqual([
      'DeviceStatus            3 DS_NormalOperation',
      'temperatureAlarmStatus  true',
    ]);
  });

  test('hold a struct in one line, equal items together', async () => {
    const result = { SectorStates: [1, 1], More: { Of: 'newer' } };
    device.data.set('LSPdatetime', { LSPdatetime: { Year: 2026, Month: 5, Extra: result } });
    const { stdout } = await azimuth('watch', 'LSPdatetime', '--count', '1');
    expect(lines(stdout)).toEqual([
      'LSPdatetime  Year=2026, Month=5, Extra={"SectorStates":[1,1],"More":{"Of":"newer"}}',
    ]);
  });

  test('with --json are one object each', async () => {
    const before = Date.now();
    const { stdout, exitCode } = await azimuth('watch', 'CurrentTempDev', '--json', '--count', '1');
    const line = JSON.parse(stdout);
    expect(stdout).toBe(`${JSON.stringify({ at: line.at, event: 'CurrentTempDev', data: 31.5 })}\n`);
    expect(line.at).toBe(new Date(line.at).toISOString());
    expect(Date.parse(line.at)).toBeGreaterThanOrEqual(before);
    expect(exitCode).toBe(0);
  });

  test('show only changes', async () => {
    const running = azimuth('watch', 'CurrentTempDev', '--count', '2');
    const connection = await device.connections.next();
    await connection.messages.next();
    for (const degrees of [31.5, 31.5, 32]) connection.push('CurrentTempDev', { CurrentTempDev: degrees });
    expect(lines((await running).stdout)).toEqual(['CurrentTempDev  31.5', 'CurrentTempDev  32']);
  });

  test('escape control characters in values', async () => {
    device.data.set('CurrentTempDev', { CurrentTempDev: 'a\u001b[2Jb' });
    expect(lines((await azimuth('watch', 'CurrentTempDev', '--count', '1')).stdout)).toEqual([
      'CurrentTempDev  a\\u001b[2Jb',
    ]);
  });
});

test('lists within a struct are told from what follows', async () => {
  const data = { Acceleration: [0, 0, 9.81], AngularVelocity: [0, 1, 0], TimeStamp: 7 };
  device.data.set('InertialMeasurementUnit', { InertialMeasurementUnit: data });
  const { stdout } = await azimuth('watch', 'InertialMeasurementUnit', '--count', '1');
  expect(lines(stdout)).toEqual([
    'InertialMeasurementUnit  Acceleration=[0, 0, 9.81], AngularVelocity=[0, 1, 0], TimeStamp=7',
  ]);
});

test('--throttle is sent to the scanner', async () => {
  expect((await azimuth('watch', 'DeviceStatus', '--throttle', '500', '--count', '1')).exitCode).toBe(0);
  const connection = await device.connections.next();
  expect(await connection.messages.next()).toMatchObject({
    options: { throttle: { minOutputIntervalMs: 500 } },
  });
});

test('--timeout ends it, and is a failure where values were counted on', async () => {
  expect(await azimuth('watch', 'DeviceStatus', '--timeout', '0.5')).toMatchObject({ exitCode: 0 });
  const { stderr, exitCode } = await azimuth('watch', 'DeviceStatus', '--timeout', '0.5', '--count', '2');
  expect(stderr).toMatch(/azimuth: [01] of 2 values were received within 0\.5 s\n$/);
  expect(exitCode).toBe(1);
});

test('--all watches every event of the scanner', async () => {
  device.values.set('DeviceStatus', 3);
  device.values.set('CurrentTempDev', 31.5);
  const { stdout, exitCode } = await azimuth('watch', '--all', '--count', '2');
  expect(exitCode).toBe(0);
  expect(lines(stdout)).toEqual(['DeviceStatus    3 DS_NormalOperation', 'CurrentTempDev  31.5']);
});

test('a lost connection is reported, and values after the reconnection are printed', async () => {
  const running = azimuth('watch', 'DeviceStatus', '--count', '2');
  const connection = await device.connections.next();
  await connection.messages.next();
  // The value has arrived before this answer.
  connection.socket.ping();
  await once(connection.socket, 'pong');
  await device.down();
  device.data.set('DeviceStatus', { DeviceStatus: 1 });
  await device.up();
  const { stdout, stderr, exitCode } = await running;
  expect(lines(stdout)).toEqual([
    'DeviceStatus  3 DS_NormalOperation',
    'lost  the connection was lost; trying again, Ctrl-C ends',
    'back  connected again',
    'DeviceStatus  1 DS_Startup',
  ]);
  expect(stderr).toBe(connected());
  expect(exitCode).toBe(0);
});

describe('a failure', () => {
  test.each([
    [['devicestatus'], 'there is no event "devicestatus"; did you mean DeviceStatus?'],
    [['Xyzzyxyzzy'], 'there is no event "Xyzzyxyzzy"'],
    [['LocationName'], 'LocationName is not an event; read it with: azimuth get LocationName'],
    [['DeviceStatus', '--all'], 'give names or --all, not both'],
    [[], 'name an event, or give --all'],
  ])('of the command line is told before anything is sent: %j', async (argv, line) => {
    expect(await azimuth('watch', ...argv)).toEqual({
      stdout: '',
      stderr: `azimuth: ${line}\n`,
      exitCode: 2,
    });
    expect(device.attempts).toEqual([]);
  });

  test('of an event that the scanner does not have names it', async () => {
    expect(await azimuth('watch', 'ContaminationResult')).toEqual({
      stdout: '',
      stderr: `${connected()}azimuth: ContaminationResult: the scanner has no such event (1) – Failed to register event ContaminationResult. Does it exist?\n`,
      exitCode: 1,
    });
  });

  test('of a release without events says which one is needed', async () => {
    device.refusals.push(httpResponse(404));
    device.values.set('DeviceIdent', { Name: 'Scanner', Version: '2.2.0.0R' });
    expect(await azimuth('watch', 'DeviceStatus')).toEqual({
      stdout: '',
      stderr: `azimuth: ${device.url} has no events: they need release 2.3.1 or newer, this scanner runs 2.2.0.0R\n`,
      exitCode: 1,
    });
  });

  test('to reach the scanner at first ends it', async () => {
    await device.down();
    expect(await azimuth('watch', 'DeviceStatus')).toEqual({
      stdout: '',
      stderr: `azimuth: ${device.url} cannot be reached: ECONNREFUSED – is it running? azimuth discover lists the scanners that answer\n`,
      exitCode: 3,
    });
  });
});

describe('as a process', () => {
  test('it ends with Ctrl-C, and closes its connection', async () => {
    const child = start('DeviceStatus');
    const outcome = ended(child);
    const connection = await device.connections.next();
    await new Reader(child.stdout).until((text) => text.includes('NormalOperation\n'));
    child.kill('SIGINT');
    expect(await outcome).toMatchObject({ stderr: connected(), exitCode: 0 });
    expect(await connection.closed).toBe(1000);
  });

  test('a reader that closes the pipe ends it without an error', async () => {
    const child = start('CurrentTempDev');
    const outcome = once(child, 'close');
    const connection = await device.connections.next();
    await new Reader(child.stdout).until((text) => text.includes('31.5\n'));
    child.stdout.destroy();
    for (let degrees = 40; connection.socket.readyState === connection.socket.OPEN; degrees++) {
      connection.push('CurrentTempDev', { CurrentTempDev: degrees });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await outcome).toEqual([0, null]);
  });

  test.runIf(process.platform === 'linux')(
    'a reader that has ended ends it, also if no value changes',
    async () => {
      const command = `"$0" ${bin} watch DeviceStatus --json --device ${device.url} | head -1`;
      const child = spawn('sh', ['-c', command, process.execPath], { stdio: ['ignore', 'pipe', 'ignore'] });
      const outcome = ended(child);
      const connection = await device.connections.next();
      expect(JSON.parse((await outcome).stdout)).toMatchObject({ event: 'DeviceStatus' });
      expect(await connection.closed).toBe(1000);
    },
  );
});
