import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decodeTelegram, FrameAssembly } from '@azimuth/client';
import type { SceneFile } from '@azimuth/simulation/world';
import { number, object, parse } from '@azimuth/test-support/json';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner, startWorld, type TestScanner } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

const wall: SceneFile = { noise: { enabled: false }, walls: [{ from: [6, -50], to: [6, 50] }] };

async function started(options: StartOptions = {}): Promise<TestScanner> {
  const scanner = await startScanner({ scene: wall, ...options });
  onTestFinished(() => scanner.close());
  return scanner;
}

/** Streams the scans of a scanner to a socket of the test. Returns the range straight ahead in the newest one, in m. */
async function rangesAhead(scanner: TestScanner): Promise<() => number> {
  const driver = await datagramDriver();
  await scanner.write('ScanDataEthSettings', driver.destination);
  await scanner.write('ScanDataEnable', true);
  const assembly = new FrameAssembly();
  let ahead = Number.POSITIVE_INFINITY;
  return () => {
    for (const datagram of driver.received.splice(0)) {
      const decoded = decodeTelegram(datagram);
      if (decoded.kind !== 'scan') continue;
      for (const { azimuth, distance, echoes } of assembly.push(decoded.telegram, 'scanner')) {
        const beam = azimuth.findIndex((angle) => Math.abs(angle) < 1e-4);
        if (beam >= 0) ahead = (distance[beam * echoes] ?? 0) / 1000;
      }
    }
    return ahead;
  };
}

test('a driver that brakes 1 m before the wall stands there, on virtual time', async () => {
  const scanner = await started();
  const ahead = await rangesAhead(scanner);
  for (let step = 0; step < 600; step++) {
    await scanner.advance(20);
    const distance = ahead() - 1;
    if (distance === Number.POSITIVE_INFINITY) continue;
    await scanner.simulation.drive({ speed: Math.max(-1, Math.min(1, 0.8 * distance)) });
  }
  const { pose, speed } = await scanner.simulation.odometry();
  expect(pose.x).toBeCloseTo(5, 2);
  expect(speed).toBeCloseTo(0, 2);
});

test('the same commands give the same motion and the same scans', async () => {
  const run = async () => {
    const scanner = await started();
    await rangesAhead(scanner);
    await scanner.advance(100);
    await scanner.simulation.drive({ speed: 1, turn: 20, ms: 700 });
    await scanner.advance(500);
    return [await scanner.simulation.odometry(), await scanner.truth()];
  };
  expect(await run()).toEqual(await run());
});

test('velocities over UDP drive, until they do not come any more', async () => {
  const scanner = await started({ velocityPort: true });
  const port = scanner.ports.velocity;
  if (port === null) throw new TypeError('a velocity port expected');
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  const ask = async (velocity: object) => {
    socket.send(JSON.stringify(velocity), port, '127.0.0.1');
    const answer: readonly unknown[] = await once(socket, 'message');
    return object(parse(String(answer[0])));
  };
  for (let step = 0; step < 20; step++) {
    await ask({ speed: 1, turn: 0 });
    await scanner.advance(100);
  }
  expect(number((await ask({})).speed)).toBe(1);
  // 500 ms after the last velocity it brakes with 1 m/s².
  await scanner.advance(2000);
  const rest = await ask({});
  expect(rest).toMatchObject({ speed: 0, turn: 0, travelled: expect.closeTo(1.9 + 0.5, 1) });
  expect(await ask({ speed: 1, linear: 2 })).toEqual({
    error: 'a velocity has "speed", "turn" and "vehicle", not "linear"',
  });
});

test('a reboot of the scanner does not stop its vehicle', async () => {
  const scanner = await started();
  await scanner.simulation.drive({ speed: 1 });
  await scanner.powerCycle();
  await scanner.advance(1000);
  const { travelled, worldTime, time } = await scanner.simulation.odometry();
  expect(travelled).toBeGreaterThan(2);
  expect(worldTime).toBeGreaterThan(time / 1_000_000 + 1);
});

test('a snapshot remembers where a vehicle is and what drives it, also for its encoder', async () => {
  const scanner = await started();
  await scanner.write('EncResolution', 1);
  await scanner.write('EncSetting', 2);
  const ahead = await rangesAhead(scanner);
  const encoder = () => scanner.device.features.encoder.reading.ticks / 1000;
  const state = async () => {
    const { pose, x, speed, travelled } = await scanner.simulation.odometry();
    return { pose, x, speed, travelled };
  };
  const fresh = await scanner.snapshot();
  await scanner.simulation.drive({ speed: 1 });
  await scanner.advance(1620);
  const [driving, before, ticks] = [await scanner.snapshot(), await state(), encoder()];
  await scanner.advance(1000);
  const after = await state();
  await scanner.simulation.driveTo(2, 2, 90);
  await scanner.advance(1000);
  for (let time = 0; time < 2; time++) {
    await scanner.restore(driving);
    expect(await state()).toEqual(before);
    expect(encoder()).toBe(ticks);
    await scanner.advance(1000);
    expect((await state()).travelled).toBeCloseTo(after.travelled, 6);
    expect(encoder()).toBeCloseTo(after.travelled, 2);
  }
  await scanner.restore(fresh);
  expect(await state()).toEqual({ pose: { x: 0, y: 0, heading: 0 }, x: 0, speed: 0, travelled: 0 });
  await scanner.advance(500);
  expect(ahead()).toBe(6);
  expect(encoder()).toBe(0);
});

test('a scan has no truth when the way of a vehicle is no longer known', async () => {
  const scanner = await started();
  await rangesAhead(scanner);
  await scanner.advance(500);
  const { scan } = await scanner.truth();
  await scanner.write('ScanDataEnable', false);
  for (let command = 0; command < 400; command++) {
    await scanner.simulation.drive({ speed: command % 2 === 0 ? 1 : -1, turn: 20 });
    await scanner.advance(500);
  }
  await expect(scanner.truth({ scan })).rejects.toThrow('this scan is not known');
});

test('a vehicle carries its scanners, and one of them has the velocity port', async () => {
  const world = await startWorld({
    world: {
      ...wall,
      scanners: [{ name: 'gate', x: -5 }],
      vehicles: [
        {
          name: 'agv',
          scanners: [
            { name: 'front', x: 0.5 },
            { name: 'rear', x: -0.5, heading: 180 },
          ],
        },
      ],
    },
    velocityPort: true,
  });
  onTestFinished(() => world.close());
  const [gate, front, rear] = ['gate', 'front', 'rear'].map((name) => world.scanner(name));
  expect([gate?.ports.velocity, front?.ports.velocity, rear?.ports.velocity]).toEqual([
    null,
    expect.any(Number),
    null,
  ]);
  const ahead = front && (await rangesAhead(front));
  await rear?.simulation.drive({ speed: 1, ms: 1000 });
  await world.advance(4000);
  expect(ahead?.()).toBeCloseTo(6 - 0.5 - 1, 2);
  const [one, other] = [await front?.simulation.odometry(), await rear?.simulation.odometry()];
  expect(one).toEqual(other);
  expect(await gate?.simulation.odometry()).toMatchObject({
    vehicle: 'agv',
    travelled: expect.closeTo(1, 6),
  });
});

test('wrong commands are refused', async () => {
  const scanner = await started();
  await expect(scanner.simulation.drive({})).rejects.toThrow(RangeError);
  const misspelt = { speed: 1, milliseconds: 3000 };
  await expect(scanner.simulation.drive(misspelt)).rejects.toThrow('not "milliseconds"');
  await expect(scanner.simulation.drive({ speed: 1, vehicle: 'agv' })).rejects.toThrow(RangeError);
  await expect(scanner.simulation.odometry('agv')).rejects.toThrow('this scene has no vehicle with a name');
});
