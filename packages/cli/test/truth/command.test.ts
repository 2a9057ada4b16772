import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeTelegram, type Frame, FrameAssembly } from '@azimuth/client';
import { freePort } from '@azimuth/test-support/free-port';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { frameCsv, frameJson } from '../../src/scan-data/frame-text.js';
import { azimuth } from '../run.js';

let scanner: TestScanner;
let frames: readonly Frame[];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'azimuth-truth-'));
  scanner = await startScanner({ scene: 'gate', controlPort: true });
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const assembly = new FrameAssembly();
  const received: Frame[] = [];
  socket.on('message', (datagram) => {
    const decoded = decodeTelegram(datagram);
    if (decoded.kind === 'scan') received.push(...assembly.push(decoded.telegram, 'scanner'));
  });
  await scanner.write('ScanDataEthSettings', {
    Protocol: 1,
    IPAddress: [127, 0, 0, 1],
    Port: socket.address().port,
  });
  await scanner.advance(8000);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(800);
  socket.close();
  frames = received.filter(({ complete }) => complete);
});
afterAll(async () => {
  await scanner.close();
  await rm(folder, { recursive: true });
});

const noLosses = { frames: 0, telegrams: 0, damaged: 0, restarts: 0, overrun: 0, outOfOrder: 0 };

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const jsonLines = () => frames.map((frame) => `${frameJson(frame, noLosses)}\n`).join('');

function truth(...options: readonly string[]) {
  return azimuth('truth', '--control', `http://127.0.0.1:${scanner.ports.control}`, ...options);
}

test('lines of azimuth scan --json are right', async () => {
  const { stdout, stderr, exitCode } = await truth('--points', await file('scans.jsonl', jsonLines()));
  expect(stdout).toMatch(/^right$/m);
  expect([stderr, exitCode]).toEqual(['', 0]);
});

test('a table of azimuth scan --csv is right, and its units are those of its columns', async () => {
  const [frame] = frames.slice(-1);
  if (frame === undefined) throw new Error('a frame expected');
  const { stdout, exitCode } = await truth('--points', await file('scan.csv', frameCsv(frame)), '--json');
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'right', frame: 'scanner', scans: 1, findings: [] });
  expect(exitCode).toBe(0);
});

/** The nearest echo of each beam of the last scans, in m. */
function rows(scans = 3): readonly { x: number; y: number; time: number; frame: number }[] {
  return frames.slice(-scans).flatMap((frame) => {
    const { number, time, endTime, beams, echoes, distance, azimuth } = frame;
    return [...azimuth].flatMap((angle, beam) => {
      const range = (distance[beam * echoes] ?? 0) / 1000;
      const at = time + ((endTime - time) * beam) / (beams - 1);
      return range === 0
        ? []
        : [{ x: range * Math.cos(angle), y: range * Math.sin(angle), time: at, frame: number }];
    });
  });
}

test('points with a time alone are matched by it, in any order and unit', async () => {
  const table = rows()
    .toReversed()
    .map(({ x, y, time }) => `${(y * 1000).toFixed(0)};${(time / 1e6).toFixed(6)};${(x * 1000).toFixed(0)}`);
  const path = await file('times.csv', ['y [mm];stamp;X (mm)', ...table].join('\r\n'));
  const { stdout, exitCode } = await truth('--points', path, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'right', scans: 3, notes: ['guessed: times in s'] });
  expect(exitCode).toBe(0);
});

test('points with neither number nor time are compared with the scan that fits', async () => {
  const table = rows(1).map(({ x, y }) => `${x} ${y}`);
  const { stdout, exitCode } = await truth(
    '--points',
    await file('bare.txt', table.join('\n')),
    '--columns',
    'x,y',
  );
  expect(stdout).toContain('the points have neither a number of their scan nor a time');
  expect(exitCode).toBe(0);
});

test('a fault is named, with what to do, and the exit code is 5', async () => {
  const table = rows().map(({ x, y, time, frame }) => `${x * 1.02},${y * 1.02},${time},${frame}`);
  const path = await file('long.csv', ['x,y,time_us,frame', ...table].join('\n'));
  const { stdout, exitCode } = await truth('--points', path);
  expect(stdout).toMatch(/^wrong +the ranges are 1\.02 times as long as they should be – check the factor/m);
  expect(stdout).toMatch(/^wrong$/m);
  expect(exitCode).toBe(5);
});

test.each(['ascii', 'binary'])('a point cloud in %s is right', async (data) => {
  const points = rows();
  const header = [
    'VERSION 0.7',
    'FIELDS x y z frame',
    'SIZE 4 4 4 4',
    'TYPE F F F U',
    'COUNT 1 1 1 1',
    `WIDTH ${points.length}`,
    'HEIGHT 1',
    'VIEWPOINT 0 0 0 1 0 0 0',
    `POINTS ${points.length}`,
    `DATA ${data}\n`,
  ].join('\n');
  const bytes = Buffer.alloc(16 * points.length);
  for (const [at, { x, y, frame }] of points.entries()) {
    bytes.writeFloatLE(x, 16 * at);
    bytes.writeFloatLE(y, 16 * at + 4);
    bytes.writeUInt32LE(frame, 16 * at + 12);
  }
  const text = points.map(({ x, y, frame }) => `${x} ${y} 0 ${frame}\n`).join('');
  const content = data === 'ascii' ? Buffer.from(header + text) : Buffer.concat([Buffer.from(header), bytes]);
  const { stdout, exitCode } = await truth('--points', await file(`${data}.pcd`, content), '--json');
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'right', scans: 3 });
  expect(exitCode).toBe(0);
});

test('a driver sends its points over TCP or UDP', async () => {
  for (const protocol of ['tcp', 'udp'] as const) {
    const port = await freePort();
    const running = truth('--listen', String(port), '--seconds', '1', '--json');
    const lines = rows(2).map((row) => `${JSON.stringify(row)}\n`);
    const socket = await vi.waitFor(async () => {
      const opened = connect(port, '127.0.0.1');
      await once(opened, 'connect');
      return opened;
    });
    if (protocol === 'tcp') socket.end(lines.join(''));
    else {
      const datagrams = createSocket('udp4');
      for (let at = 0; at < lines.length; at += 20)
        await new Promise((sent) =>
          datagrams.send(lines.slice(at, at + 20).join(''), port, '127.0.0.1', sent),
        );
      datagrams.close();
    }
    const { stdout, exitCode } = await running;
    socket.destroy();
    expect(JSON.parse(stdout), protocol).toMatchObject({ verdict: 'right', scans: 2 });
    expect(exitCode).toBe(0);
  }
});

test.each([
  ['a cell that is no number', 'x,y\n1,2\n1,abc\n', 'line 3: expected a number as y, got "abc"'],
  ['too few columns', 'x,y,time\n1,2,3\n1,2\n', 'line 3: expected 3 columns, got 2'],
  ['no header', '1,2\n', 'line 1: expected a header with the names of the columns'],
  ['columns of no point', 'a,b\n1,2\n', 'line 1: expected columns x and y, or range and angle'],
  ['broken JSON', '{"x":1,"y":2}\n{"x":1\n', 'line 2: expected an object of JSON'],
  ['mixed forms', '{"x":1,"y":2}\n{"range":1,"angle":2}\n', 'line 2: expected all points as x and y'],
  ['a line without an end', 'x'.repeat(5_000_000), 'line 1: expected lines of at most 4194304 bytes'],
  ['a damaged point cloud', 'VERSION 0.7\nDATA binary\n', 'does not say how many points it has'],
  ['nothing', '', 'there are no points'],
  ['only NaN', 'x,y\nnan,nan\n,\n', 'there are no points'],
])('%s is refused with the place', async (name, content, words) => {
  const { stderr, exitCode } = await truth('--points', await file(`${name}.txt`, content));
  expect(stderr).toContain(words);
  expect(exitCode).toBe(name === 'nothing' || name === 'only NaN' ? 1 : 2);
});

test('scans that the scanner does not know are said', async () => {
  const { stderr, exitCode } = await truth(
    '--points',
    await file('old.csv', `x,y,frame\n${'1,2,9999999\n'.repeat(20)}`),
  );
  expect(stderr).toContain('does not know scan 9999999');
  expect(exitCode).toBe(1);
});

test('without points, the command says how to give them', async () => {
  const { stderr, exitCode } = await truth();
  expect(stderr).toContain('--points FILE');
  expect(exitCode).toBe(2);
});
