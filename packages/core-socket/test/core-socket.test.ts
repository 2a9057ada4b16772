import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MeasuringOrder, type Scan, SystemClock } from '@azimuth/device';
import { CoreClient } from '@azimuth/test-support/core-client';
import { LogBook } from '@azimuth/test-support/log-book';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CoreSocket, SocketAddressError } from '../src/index.js';

const geometry = { frequency: 50, firstAngle: -10, step: 1, beams: 20, beamsPerSegment: 8 };
/** µs of the scanner's uptime at the zero of its clock. */
const uptimeAtZero = 3_000_000;

interface Measured {
  readonly number: number;
  readonly time: number;
  readonly distances: readonly number[];
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'azimuth-core-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function openSocket(address = join(folder(), 'core.sock')) {
  const log = new LogBook();
  const clock = new SystemClock();
  const socket = await CoreSocket.open({ address, log, clock });
  const [first] = log.lines.splice(0, 1);
  expect(first).toMatchObject({
    message: 'A measuring core can connect',
    facts: { address: socket.address },
  });
  onTestFinished(() => socket.close());
  const scans: Measured[] = [];
  const parts: number[] = [];
  const now = () => clock.monotonic() * 1000 + uptimeAtZero;
  const start = (change: Partial<MeasuringOrder> = {}) =>
    socket.start(
      {
        ...{ geometry, sensitivity: 1, longRange: false, clock, now, bootedAt: 0 },
        origin: { number: 100, time: now() },
        ...change,
      },
      ({ number, time, distance, geometry }: Scan, beams) => {
        parts.push(beams);
        if (beams === geometry.beams) scans.push({ number, time, distances: [...distance] });
      },
    );
  const lines = () => log.lines.map(({ message }) => message);
  return { socket, log, lines, scans, parts, start, now };
}

/** A socket with a connected core. */
async function connected(options: Parameters<typeof CoreClient.connect>[1] = {}) {
  const opened = await openSocket();
  const core = await CoreClient.connect(opened.socket.address, options);
  await until(() => opened.socket.status.core !== undefined);
  return { ...opened, core };
}

/** Waits until the scanner has handled everything that the core sent. */
async function settled(core: CoreClient, socket: CoreSocket): Promise<void> {
  const { outdated } = socket.status;
  core.segment(0, 0, 1, { order: 4_000_000_000 });
  await until(() => core.closed || socket.status.outdated > outdated);
}

describe('orders', () => {
  test('reach the core with their origin on its clock', async () => {
    const { core, start, now } = await connected({ ahead: 5_000_000_000n });
    const origin = { number: 41, time: now() - 20_000 };
    const expected = core.now - 20_000_000n;
    start({ origin, sensitivity: 2, longRange: true });
    const order = await core.order();
    expect(order).toMatchObject({ ...geometry, sensitivity: 2, longRange: true, originNumber: 41 });
    expect(Math.abs(Number(order.originTime - expected))).toBeLessThan(20e6);
  });

  test('fail without a core, and reach it when it connects', async () => {
    const { socket, start } = await openSocket();
    expect(() => start()).toThrow(`no core is connected at ${socket.address}`);
    const core = await CoreClient.connect(socket.address);
    expect((await core.order()).number).toBe(1);
  });

  test('end with a stop', async () => {
    const { core, socket, start } = await connected();
    start();
    const { number } = await core.order();
    socket.stop();
    await until(() => core.stops.length > 0);
    expect(core.stops).toEqual([number]);
  });

  test('begin at once, or when a core that reports it has started', async () => {
    const { start } = await connected();
    expect(start()).toBeUndefined();
    const slow = await connected({ capabilities: 2 });
    let hasStarted = false;
    const promise = Promise.resolve(slow.start()).then(() => {
      hasStarted = true;
    });
    await slow.core.order();
    slow.core.started(999);
    await settled(slow.core, slow.socket);
    expect(hasStarted).toBe(false);
    slow.core.started();
    await promise;
    expect(hasStarted).toBe(true);
  });
});

describe('scans', () => {
  test('are put together from segments', async () => {
    const { core, socket, start, scans } = await connected();
    start();
    await core.order();
    core.segment(5, 0, 8, { distance: 1000 });
    core.segment(5, 8, 8, { distance: 2000 });
    core.segment(5, 16, 4, { distance: 3000 });
    await settled(core, socket);
    const beams = [...Array(8).fill(1000), ...Array(8).fill(2000), ...Array(4).fill(3000)];
    expect(scans.map(({ distances }) => distances)).toEqual([beams.flatMap((beam) => [beam, 0, 0])]);
  });

  test('are passed on with every segment', async () => {
    const { core, socket, start, scans, parts } = await connected();
    start();
    await core.order();
    core.segment(5, 0, 8);
    core.segment(5, 8, 1);
    await settled(core, socket);
    expect({ parts, scans }).toEqual({ parts: [8, 9], scans: [] });
    core.segment(5, 9, 11);
    await settled(core, socket);
    expect(parts).toEqual([8, 9, 20]);
  });

  test('have the time of their first beam on the clock of the scanner', async () => {
    const { core, socket, start, scans, now } = await connected({ ahead: -7_000_000_000n });
    start();
    await core.order();
    const at = now();
    core.scan(5);
    await settled(core, socket);
    const [scan] = scans;
    // The mapping is as exact as the computer is quick: it is tested in clock-mapping.test.ts.
    expect(Math.abs((scan?.time ?? 0) - at)).toBeLessThan(20_000);
  });

  test('are counted on from the origin, wherever the core begins to count', async () => {
    const { core, socket, start, scans } = await connected();
    start();
    const { originTime } = await core.order();
    for (const turn of [3, 4, 6])
      core.scan((4_294_967_292 + turn) % 2 ** 32, originTime + BigInt(turn * 20_000_000));
    await settled(core, socket);
    expect(scans.map(({ number }) => number)).toEqual([103, 104, 106]);
  });

  test('that lack a segment, or repeat one, are dropped', async () => {
    const { core, socket, start, scans } = await connected();
    start();
    await core.order();
    core.segment(5, 0, 8);
    core.segment(5, 16, 4);
    core.segment(6, 8, 8);
    core.segment(7, 0, 8);
    core.segment(7, 0, 8);
    await until(() => core.closed);
    expect(scans).toEqual([]);
    expect(socket.status.incomplete).toBe(2);
    expect(core.refusals.join()).toMatch(/sent the scan 7 again/);
  });

  test('of an earlier order are dropped', async () => {
    const { core, socket, start, scans } = await connected();
    start();
    const { number } = await core.order();
    socket.stop();
    start({ geometry: { ...geometry, beams: 8 } });
    await until(() => core.orders.length === 2);
    core.segment(5, 0, 8, { order: number });
    core.segment(5, 8, 12, { order: number });
    core.scan(6);
    await settled(core, socket);
    expect(scans.map(({ distances }) => distances.length)).toEqual([24]);
    expect(socket.status.outdated).toBe(3);
  });

  test('continue after the core has connected again, with rising numbers', async () => {
    const { core, socket, start, scans } = await connected();
    start();
    const { originTime } = await core.order();
    core.scan(900, originTime + 40_000_000n);
    await settled(core, socket);
    core.segment(901, 0, 8, { time: originTime + 60_000_000n });
    await settled(core, socket);
    core.socket.destroy();
    await until(() => socket.status.core === undefined);
    const next = await CoreClient.connect(socket.address);
    await next.order();
    // The rest of a scan that another core has begun.
    next.segment(901, 8, 12);
    next.scan(0, originTime + 20_000_000n);
    next.scan(1, originTime + 80_000_000n);
    await settled(next, socket);
    expect(scans.map(({ number }) => number)).toEqual([102, 104, 105]);
  });

  test('are counted from the last one when another core connects, as cores keep no rate exactly', async () => {
    const { core, socket, start, scans, now } = await connected();
    start({ origin: { number: 100, time: now() - 20_000_000 } });
    const { originTime } = await core.order();
    const after = (milliseconds: number) => originTime + BigInt(milliseconds * 1_000_000);
    core.scan(0, after(20));
    core.scan(990, after(19_900));
    // A time in the future is not known.
    core.scan(991, after(60_000));
    await settled(core, socket);
    core.socket.destroy();
    await until(() => socket.status.core === undefined);
    const next = await CoreClient.connect(socket.address);
    const { originNumber, originTime: later } = await next.order();
    expect(originNumber).toBe(1091);
    expect(Math.abs(Number(later - after(19_900)))).toBeLessThan(20e6);
    next.scan(0, after(19_960));
    await settled(next, socket);
    expect(scans.map(({ number }) => number)).toEqual([101, 1091, 1092, 1094]);
  });
});

describe('a connection', () => {
  test('is refused while another core is connected', async () => {
    const { core, socket, start, lines } = await connected({ name: 'first' });
    const second = await CoreClient.connect(socket.address);
    await until(() => second.closed);
    expect(second.refusals).toEqual(['another core is connected: first']);
    expect(lines()).toContain('A second core was refused');
    start();
    expect((await core.order()).number).toBe(1);
  });

  test.each([
    [
      'another version',
      (core: CoreClient) => core.hello('new', 2),
      'it speaks version 2 of the protocol, and this',
    ],
    [
      'HTTP',
      (core: CoreClient) => core.socket.write('GET / HTTP/1.1\r\n\r\n'),
      'it sent a message of 542393671',
    ],
    [
      'a scan before its hello',
      (core: CoreClient) => core.segment(1, 0, 1, { order: 1 }),
      'segment at the wrong',
    ],
    ['an unknown message', (core: CoreClient) => core.message(77, Buffer.alloc(0)), 'unknown type 77'],
    ['silence', () => undefined, 'it did not say hello'],
  ])('with %s is closed with the reason, told to both sides in one line', async (_, send, reason) => {
    const { socket, log } = await openSocket();
    const core = await CoreClient.connect(socket.address, { greets: false });
    send(core);
    await until(() => core.closed);
    expect(core.refusals.join()).toContain(reason);
    expect(log.lines.map(({ facts }) => String(facts.reason))).toEqual([expect.stringContaining(reason)]);
    const next = await CoreClient.connect(socket.address);
    await until(() => socket.status.core !== undefined);
    expect(next.closed).toBe(false);
  });

  test.each([
    ['a second hello', (core: CoreClient) => core.hello('again'), 'hello at the wrong time'],
    [
      'beams that the order does not have',
      (core: CoreClient) => core.segment(1, 16, 5),
      'up to beam 20 of 20',
    ],
    [
      'a pong without a ping',
      (core: CoreClient) => core.message(134, Buffer.alloc(16)),
      'a pong without a ping',
    ],
    [
      'a flood of small messages',
      (core: CoreClient) => {
        for (let each = 0; each < 20_000; each += 1) core.motion([]);
      },
      'it sends too many messages',
    ],
    [
      'a flood of scans',
      (core: CoreClient) => {
        for (let each = 0; each < 200; each += 1) core.segment(1, 0, 5000, { order: 0 });
      },
      'it sends too many bytes',
    ],
  ])('with %s is closed', async (_, send, reason) => {
    const { core, start, log } = await connected();
    start();
    await core.order();
    send(core);
    await until(() => core.closed);
    expect(core.refusals.join()).toContain(reason);
    expect(log.lines.slice(1).map(({ facts }) => String(facts.reason))).toEqual([
      expect.stringContaining(reason),
    ]);
  });

  test('that reads nothing is closed before much waits for it', async () => {
    const { core, socket, start } = await connected();
    core.socket.pause();
    for (let each = 0; each < 20_000 && socket.status.core !== undefined; each += 1) {
      start();
      socket.stop();
      if (each % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(socket.status.core).toBeUndefined();
    core.socket.resume();
    await until(() => core.closed);
  });

  test('of cores that fail again and again writes a few lines only', async () => {
    const { socket, log } = await openSocket();
    for (let each = 0; each < 8; each += 1) {
      const core = await CoreClient.connect(socket.address, { version: 9 });
      await until(() => core.closed);
    }
    expect(log.lines).toHaveLength(3);
  });

  test('that does not answer pings is closed after 5 s', { timeout: 20_000 }, async () => {
    const { core, log } = await connected();
    core.answers = false;
    await until(() => core.closed);
    expect(log.lines.slice(1).map(({ facts }) => facts.reason)).toEqual([
      'it did not answer a ping within 5 s',
    ]);
  });

  test('goes on when the clock of the core is set, and the log says so', { timeout: 20_000 }, async () => {
    const { core, lines } = await connected();
    core.ahead = 60_000_000_000n;
    await until(() => lines().includes('The clock of the core was set; it is mapped anew'));
    expect(core.closed).toBe(false);
  });
});

describe('what else a core tells', () => {
  test('is its motion, if it can; otherwise the scanner is at rest', async () => {
    const still = await connected();
    expect(still.socket.motion().acceleration).toEqual([0, 0, 9.81]);
    const { core, socket } = await connected({ capabilities: 1 });
    core.motion([1, 2, 3, 4, 5, 6, 0.5, 0.5, 0.5, 0.5]);
    await settled(core, socket);
    expect(socket.motion()).toEqual({
      acceleration: [1, 2, 3],
      angularVelocity: [4, 5, 6],
      orientation: [0.5, 0.5, 0.5, 0.5],
    });
    await until(() => {
      try {
        return socket.motion() === undefined;
      } catch {
        return true;
      }
    });
    expect(() => socket.motion()).toThrow('the core has sent no motion for');
  });

  test('is an error, until it works or is gone', async () => {
    const { core, socket, lines } = await connected();
    const problems: (string | undefined)[] = [];
    socket.onProblem((problem) => problems.push(problem));
    core.status(true, 'laser too hot');
    core.status(false, 'cool again');
    core.status(true, 'motor');
    await settled(core, socket);
    core.socket.destroy();
    await until(() => socket.status.core === undefined);
    expect(problems).toEqual(['laser too hot', undefined, 'motor', undefined]);
    expect(lines()).toContain('The measuring core reports an error');
    expect(lines()).toContain('The measuring core reports');
  });
});

describe('the address', () => {
  test('of a UNIX socket is a file that only its owner may use, and that goes at the end', async () => {
    const { socket } = await openSocket();
    expect(statSync(socket.address).mode & 0o777).toBe(0o600);
    socket.close();
    await until(() => !existsSync(socket.address));
    expect(process.umask()).not.toBe(0o177);
  });

  test('of a scanner that was killed is taken over', async () => {
    const path = join(folder(), 'core.sock');
    const stale = await staleSocket(path);
    expect(stale.isSocket()).toBe(true);
    await openSocket(path);
    expect((await CoreClient.connect(path)).closed).toBe(false);
  });

  test('of another scanner is refused', async () => {
    const { socket } = await openSocket();
    await expect(openSocket(socket.address)).rejects.toThrow(
      new SocketAddressError(`${socket.address}: another program listens there`),
    );
  });

  test('of a file is refused, and the file stays', async () => {
    const path = join(folder(), 'notes');
    writeFileSync(path, 'notes');
    chmodSync(path, 0o644);
    await expect(openSocket(path)).rejects.toThrow('there is already something that is no socket');
    expect(statSync(path).size).toBe(5);
  });

  test('of a TCP port is on loopback without a host', async () => {
    const { socket, log } = await openSocket(':0');
    expect(socket.address).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(log.lines).toEqual([]);
    const core = await CoreClient.connect(socket.address);
    await until(() => socket.status.core !== undefined);
    expect(core.closed).toBe(false);
  });

  test('of a TCP port that others reach is warned of', async () => {
    const { lines } = await openSocket('0.0.0.0:0');
    expect(lines()).toEqual(['Anybody who reaches the core socket can measure for this scanner']);
  });

  test.each(['', 'host.example:7000', '127.0.0.1:70000', '/'.padEnd(120, 'x')])(
    '%j is wrong',
    async (address) => {
      await expect(openSocket(address)).rejects.toThrow(SocketAddressError);
    },
  );
});

/** Leaves the socket file of a process that was killed. */
async function staleSocket(path: string) {
  const { spawnSync } = await import('node:child_process');
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', program]);
  return statSync(path);
}
