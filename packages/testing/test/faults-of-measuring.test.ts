import { decodeTelegram, FrameAssembly } from '@azimuth/client';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

const scene = {
  noise: { enabled: false },
  walls: [{ from: [3, -10], to: [3, 10] }] as const,
} satisfies StartOptions['scene'];

async function seen(faults: NonNullable<StartOptions['faults']>['faults']) {
  const scanner = await startScanner({ scene, faults: { faults } });
  onTestFinished(() => scanner.close());
  const { received, destination } = await datagramDriver();
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(400);
  const assembly = new FrameAssembly();
  const frames = received.flatMap((datagram) => {
    const telegram = decodeTelegram(datagram);
    return telegram.kind === 'scan' ? [...assembly.push(telegram.telegram, 'scanner')] : [];
  });
  const number = frames.at(-1)?.number ?? 0;
  return { scanner, number, frame: frames.at(-1), truth: await scanner.truth({ scan: number }) };
}

test('faults of measuring change what a driver gets, and the truth stays the truth', async () => {
  const right = await seen([]);
  const wrong = await seen([
    { kind: 'scan-bias', offset: 100 },
    { kind: 'scan-rotated', beams: 3 },
    { kind: 'stamp-jitter', jitter: 4 },
    { kind: 'clock-skew', ppm: 2000 },
  ]);
  expect(wrong.number).toBe(right.number);
  expect(wrong.truth).toEqual(right.truth);
  expect(right.frame?.time).toBe(right.truth.time);
  expect(Math.abs((wrong.frame?.time ?? 0) - right.truth.time)).toBeGreaterThan(100);
  const ahead = 414;
  expect(right.frame?.distance[3 * ahead]).toBeCloseTo(3000, -1);
  expect(wrong.frame?.distance[3 * (ahead + 3)]).toBeCloseTo(3100, -1);
  // The truth is found by the right times.
  const { time } = right.truth;
  expect((await wrong.scanner.truth({ time: time + 1000 })).scan).toBe(right.number);
});

test('after a snapshot is put back, a stuck scanner shows no scan of the time after it', async () => {
  const scanner = await startScanner({ scene, faults: { faults: [{ kind: 'scan-stuck' }] } });
  onTestFinished(() => scanner.close());
  const snapshot = await scanner.snapshot();
  const ahead: number[] = [];
  scanner.device.features.measuring.watch({ scan: ({ distance }) => ahead.push(distance[3 * 414] ?? 0) });
  await scanner.advance(200);
  await scanner.restore(snapshot);
  const before = ahead.length;
  await scanner.simulation.scene({ noise: { enabled: false }, walls: [{ from: [5, -10], to: [5, 10] }] });
  await scanner.advance(300);
  expect(ahead[0]).toBeCloseTo(3000, 0);
  expect(ahead[before + 1]).toBeCloseTo(5000, 0);
});
