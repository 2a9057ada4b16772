import { once } from 'node:events';
import { connect } from 'node:net';
import { decodeTelegram, FrameAssembly } from '@azimuth/client';
import type { ScanTruth, SceneFile } from '@azimuth/simulation/world';
import { decodeLmdText, type LmdScan } from '@azimuth/telegrams/legacy';
import { expect, onTestFinished, test } from 'vitest';
import { startScanner } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

/** m/s at which the scanner drives towards a wall, and at which a gate on its left goes away. */
const speed = 1;
const gateSpeed = 0.5;

const scene: SceneFile = {
  noise: { enabled: false },
  walls: [{ from: [10, -30], to: [10, 30], material: 'white' }],
  scanner: {
    path: {
      waypoints: [
        { t: 0, x: 0, y: 0, heading: 0 },
        { t: 5, x: 5 * speed, y: 0, heading: 0 },
      ],
    },
  },
  actors: [
    {
      name: 'gate',
      walls: [{ from: [-30, 0], to: [9, 0], material: 'grey' }],
      path: {
        waypoints: [
          { t: 0, x: 0, y: 2, heading: 0 },
          { t: 5, x: 0, y: 2 + 5 * gateSpeed, heading: 0 },
        ],
      },
    },
  ],
};

/** The profile that a scanner has at first: 15 scans a second, a beam each third of a degree. */
const beginOf = (scan: number) => ((scan - 1) * 1_000_000) / 15;
const microsecondsOfBeam = 1_000_000 / 15 / (360 * 3);

/** Values that can be computed without the program: the places of wall and gate, and the time of each beam. */
function expectExact({ scan, time, beams }: ScanTruth): void {
  const begin = beginOf(scan);
  expect(time).toBe(Math.round(begin));
  for (const [beam, one] of beams.entries()) {
    expect(Math.abs(one.time - (begin + beam * microsecondsOfBeam))).toBeLessThanOrEqual(1);
  }
  const at = (angle: number) => beams.find((one) => Math.abs(one.angle - angle) < 1e-6);
  const secondsAt = (angle: number) => (begin + (angle + 138) * 3 * microsecondsOfBeam) / 1_000_000;
  expect(at(0)?.surface).toMatchObject({ object: 'walls[0]', material: 'white' });
  expect(at(0)?.surface?.distance).toBeCloseTo((10 - speed * secondsAt(0)) * 1000, 6);
  expect(at(0)?.pose).toEqual({ x: expect.closeTo(speed * secondsAt(0), 9), y: 0, heading: 0 });
  expect(at(90)?.surface).toMatchObject({ object: 'actors[0].walls[0]', actor: 'gate', material: 'grey' });
  expect(at(90)?.surface?.distance).toBeCloseTo((2 + gateSpeed * secondsAt(90)) * 1000, 6);
}

/** Number of distances (mm, 0 for no echo) that were compared with the truth. */
function compared(distances: readonly number[], { beams }: ScanTruth, tolerance: number): number {
  expect(distances).toHaveLength(beams.length);
  let count = 0;
  for (const [beam, measured] of distances.entries()) {
    if (measured === 0) continue;
    expect(Math.abs(measured - (beams[beam]?.surface?.distance ?? 0))).toBeLessThan(tolerance);
    count += 1;
  }
  return count;
}

test.each([
  ['Compact', 2],
  ['MSGPACK', 1],
] as const)(
  'while scanner and gate move, %s states the truth, and its times to the microsecond',
  async (_, format) => {
    const scanner = await startScanner({ scene });
    onTestFinished(() => scanner.close());
    const { received, destination } = await datagramDriver();
    await scanner.write('ScanDataFormat', format);
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(2000);
    const assembly = new FrameAssembly();
    const frames = received.flatMap((datagram) => {
      const telegram = decodeTelegram(datagram);
      return telegram.kind === 'scan' ? [...assembly.push(telegram.telegram, 'scanner')] : [];
    });
    expect(frames.length).toBeGreaterThan(25);
    for (const frame of frames) {
      const truth = await scanner.truth({ scan: frame.number });
      expectExact(truth);
      expect([frame.time, frame.endTime]).toEqual([truth.time, truth.beams.at(-1)?.time]);
      const first = truth.beams.map((_beam, beam) => frame.distance[frame.echoes * beam] ?? 0);
      expect(compared(first, truth, 1.01)).toBeGreaterThan(300);
    }
  },
);

test('so does LMDscandata', async () => {
  const scanner = await startScanner({ scene });
  onTestFinished(() => scanner.close());
  const driver = connect(Number(scanner.ports.legacyA), '127.0.0.1');
  onTestFinished(() => void driver.destroy());
  await once(driver, 'connect');
  let text = '';
  driver.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  await scanner.write('ScanDataFormat', 3);
  driver.write('\u0002sEN LMDscandata 1\u0003');
  await scanner.advance(2000);
  const scans = text
    .split('\u0003')
    .map((telegram) => telegram.split('sSN LMDscandata ')[1])
    .flatMap((body) => (body === undefined ? [] : [decodeLmdText(Buffer.from(body, 'latin1'))]));
  expect(scans.length).toBeGreaterThan(25);
  for (const { scanCounter, scanTime, transmitTime, channels16 } of scans) {
    const truth = await scanner.truth({ scan: scanCounter });
    expectExact(truth);
    expect(scanTime).toBe(truth.time);
    expect(transmitTime).toBeGreaterThanOrEqual(truth.beams.at(-1)?.time ?? Number.NaN);
    expect(compared(distancesIn(channels16), truth, 2.01)).toBeGreaterThan(300);
  }
});

function distancesIn(channels: LmdScan['channels16']): readonly number[] {
  const channel = channels.find(({ content }) => content === 'DIST1');
  return [...(channel?.data ?? [])].map((value) => value * (channel?.scale ?? 1) + (channel?.offset ?? 0));
}
