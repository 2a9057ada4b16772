import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeTelegram } from 'azimuth-scanner/client';
import { startScanner, type TestScanner } from 'azimuth-scanner/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A small driver: points (mm) of the scans that arrive over UDP. Put yours in its place. */
class Driver {
  readonly scans = new Map<number, { x: number; y: number }[]>();

  constructor(readonly socket: Socket) {
    socket.on('message', (datagram) => {
      const decoded = decodeTelegram(datagram);
      if (decoded.kind !== 'scan') return;
      for (const { frameNumber, azimuth = [], distance, echoes } of decoded.telegram.modules) {
        const points = this.scans.get(Number(frameNumber)) ?? [];
        this.scans.set(Number(frameNumber), points);
        azimuth.forEach((angle, beam) => {
          const range = distance[beam * echoes] ?? 0;
          points.push({ x: range * Math.cos(angle), y: range * Math.sin(angle) });
        });
      }
    });
  }
}

let scanner: TestScanner;
let driver: Driver;
beforeEach(async () => {
  scanner = await startScanner({ scene: 'empty-room', seed: 7 });
  driver = new Driver(createSocket('udp4').bind(0, '127.0.0.1'));
  await once(driver.socket, 'listening');
  const { port } = driver.socket.address();
  await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
  await scanner.write('ScanDataEnable', true);
});
afterEach(async () => {
  driver.socket.close();
  await scanner.close();
});

test('points are where the walls are', async () => {
  await scanner.advance(1000);
  expect(driver.scans.size).toBe(15);
  for (const [scan, points] of driver.scans) {
    const { beams } = await scanner.truth({ scan });
    expect(points).toHaveLength(beams.length);
    const errors = points.map(({ x, y }, beam) => Math.hypot(x, y) - (beams[beam]?.surface?.distance ?? 0));
    expect(Math.abs(errors.sort((one, other) => one - other)[errors.length >> 1] ?? 0)).toBeLessThan(5);
  }
});

test('a tenth of the telegrams gets lost, and the driver goes on', async () => {
  scanner.faults.add({ faults: [{ kind: 'stream-loss', probability: 0.1 }] });
  await scanner.advance(2000);
  const whole = [...driver.scans.values()].filter(({ length }) => length === 829);
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length).toBeLessThan(30);
});
