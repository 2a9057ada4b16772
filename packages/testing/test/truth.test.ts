import { decodeTelegram, FrameAssembly } from '@azimuth/client';
import type { SceneFile } from '@azimuth/simulation/world';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

const noise = { enabled: false };
const room: StartOptions = {
  controlPort: true,
  scene: {
    noise,
    walls: [
      { from: [3, -10], to: [3, 10], material: 'white' },
      { from: [1, -0.5], to: [1, 0.5], material: 'glass' },
    ],
    actors: [
      {
        name: 'post',
        circles: [{ center: [0, 0], radius: 0.2 }],
        path: { waypoints: [{ t: 0, x: 0, y: 2 }] },
      },
    ],
  },
};

/** A scanner whose scans were received, put together to frames. */
async function received(options: StartOptions) {
  const scanner = await startScanner(options);
  onTestFinished(() => scanner.close());
  const { received: datagrams, destination } = await datagramDriver();
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(200);
  const assembly = new FrameAssembly();
  const frames = datagrams.flatMap((datagram) => {
    const telegram = decodeTelegram(datagram);
    return telegram.kind === 'scan' ? [...assembly.push(telegram.telegram, 'scanner')] : [];
  });
  return { scanner, frames };
}

test('the truth of a scan is what a scan without noise states, beam by beam, with its times', async () => {
  const { scanner, frames } = await received({ scene: { noise, walls: [{ from: [3, -10], to: [3, 10] }] } });
  expect(frames.length).toBeGreaterThan(1);
  for (const frame of frames) {
    const { scan, time, beams } = await scanner.truth({ scan: frame.number });
    expect([scan, time, beams.length]).toEqual([frame.number, frame.time, frame.beams]);
    expect(beams.at(-1)?.time).toBe(frame.endTime);
    let compared = 0;
    for (const [beam, { surface, angle }] of beams.entries()) {
      expect(((frame.azimuth[beam] ?? 0) * 180) / Math.PI).toBeCloseTo(angle, 1);
      const measured = frame.distance[frame.echoes * beam] ?? 0;
      if (measured === 0) continue;
      expect(Math.abs(measured - (surface?.distance ?? 0))).toBeLessThan(1.01);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(100);
  }
});

test('it names objects, actors and materials, and the glass in front', async () => {
  const { scanner } = await received(room);
  const { beams } = await scanner.truth();
  const at = (angle: number) => beams.find((beam) => Math.abs(beam.angle - angle) < 1e-6);
  expect(at(0)?.surface).toMatchObject({ object: 'walls[0]', material: 'white' });
  expect(at(0)?.surface?.distance).toBeCloseTo(3000, 6);
  expect(at(0)?.glass).toMatchObject([{ object: 'walls[1]', material: 'glass' }]);
  expect(at(90)?.surface).toMatchObject({ object: 'actors[0].circles[0]', actor: 'post' });
  expect(at(90)?.surface?.distance).toBeCloseTo(1800, 6);
  expect(at(-120)).toMatchObject({ surface: null, glass: [] });
});

test('a scan is found by a time in it; one that is not known is refused', async () => {
  const { scanner } = await received(room);
  expect((await scanner.truth({ time: 100_000 })).scan).toBe(2);
  await expect(scanner.truth({ scan: 1000 })).rejects.toThrow('this scan is not known');
  // @ts-expect-error: there is no such member
  await expect(scanner.truth({ frame: 1 })).rejects.toThrow(
    'truth takes "scan", "time" or "output", not "frame"',
  );
  await scanner.simulation.scene('gate');
  await expect(scanner.truth()).rejects.toThrow(RangeError);
});

test('over the control port, a wrong question is refused with what is expected', async () => {
  const { scanner } = await received(room);
  const request = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${scanner.ports.control}/${path}`);
    return { status: response.status, answer: await response.json() };
  };
  expect(await request('truth?scan=1')).toEqual({ status: 200, answer: await scanner.truth({ scan: 1 }) });
  expect((await request('x/truth')).status).toBe(200);
  expect(await request('truth?scan=one')).toEqual({
    status: 400,
    answer: { error: '"scan" must be a whole number' },
  });
  expect((await request('truth?beam=1')).status).toBe(400);
  expect((await request('truth?scan=1&time=1')).status).toBe(400);
  expect(await request('truth?scan=1&output=true')).toEqual({
    status: 200,
    answer: await scanner.truth({ scan: 1, output: true }),
  });
  expect(await request('truth?output=1')).toEqual({
    status: 400,
    answer: { error: '"output" must be true or false' },
  });
});

test('is not known before a scan was measured, and the error says what makes the scanner measure', async () => {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  await expect(scanner.truth()).rejects.toThrow('no scan is known: the scanner measures only while');
});

const approaching: SceneFile = {
  noise,
  walls: [{ from: [10, -30], to: [10, 30] }],
  scanner: {
    path: {
      waypoints: [
        { t: 0, x: 0, y: 0, heading: 0 },
        { t: 4, x: 8, y: 0, heading: 0 },
      ],
    },
  },
};

test('the truth of what telegrams carry has their beams, and with a moving average the mean of its scans', async () => {
  const scanner = await startScanner({ scene: approaching });
  onTestFinished(() => scanner.close());
  const { received: datagrams, destination } = await datagramDriver();
  const range = { fThetaStart: -200_000, fThetaStop: 400_000, fPhiStart: 0, fPhiStop: 0 };
  await scanner.write('LFPangleRangeFilter', { bEnable: true, ...range, uiBeamIncrement: 4 });
  await scanner.write('LFPmovingAveragingFilter', { bEnable: true, uiAveragingDepth: 3 });
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(1000);
  const assembly = new FrameAssembly();
  const frames = datagrams.flatMap((datagram) => {
    const telegram = decodeTelegram(datagram);
    return telegram.kind === 'scan' ? [...assembly.push(telegram.telegram, 'scanner')] : [];
  });
  expect(frames.length).toBeGreaterThan(5);
  for (const frame of frames) {
    const truth = await scanner.truth({ scan: frame.number, output: true });
    expect(await scanner.truth({ time: frame.time + 1000, output: true })).toEqual(truth);
    expect([truth.scan, truth.beams[0]?.time, truth.beams.length]).toEqual([
      frame.number,
      frame.time,
      frame.beams,
    ]);
    let compared = 0;
    for (const [beam, { angle, surface, time, pose }] of truth.beams.entries()) {
      expect(((frame.azimuth[beam] ?? 0) * 180) / Math.PI).toBeCloseTo(angle, 1);
      expect(pose.x).toBeCloseTo(2 * (truth.worldTime + (time - truth.time) / 1_000_000), 5);
      const measured = frame.distance[frame.echoes * beam] ?? 0;
      if (measured === 0) continue;
      expect(Math.abs(measured - (surface?.distance ?? 0))).toBeLessThan(1.01);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(10);
  }
});
