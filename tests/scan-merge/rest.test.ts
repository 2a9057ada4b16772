import { authorizedClient, statusOf } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { type Point, readPcd } from '@azimuth/test-support/pcd';
import { stillRoom } from '@azimuth/test-support/streams/room';
import { VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

/** A hall of 40 m: one wall beside, one ahead. The scanner goes through it along x by 1 m/s, from the start on. */
const hall = {
  walls: [
    { from: [-50, 3], to: [50, 3] },
    { from: [22, -2], to: [22, 2.9] },
  ],
  scanner: {
    path: {
      waypoints: [
        { t: 0, x: 0, y: 0 },
        { t: 30, x: 30, y: 0 },
      ],
    },
  },
};

/** Fetches the cloud, as anybody can. */
async function fetchCloud(scanner: VirtualScanner): Promise<readonly Point[]> {
  const response = await fetch(`http://127.0.0.1:${scanner.service.ports.http}/cloud.pcd`);
  expect(response.status).toBe(200);
  return readPcd(new Uint8Array(await response.arrayBuffer())).points;
}

/** Records as an integrator does: start, wait, stop, poll MergeSaving until it was true and is false. */
async function record(scanner: VirtualScanner, milliseconds: number): Promise<void> {
  const { client } = scanner;
  expectDone(await client.call('StartScanMerge'));
  await scanner.pass(milliseconds, 1000);
  expectDone(await client.call('StopScanMerge'));
  expect(await client.value('MergeSaving')).toBe(true);
  await scanner.pass(1000, 1000);
  await until(async () => (await client.value('MergeSaving')) === false);
}

describe('a 3D recording over REST', () => {
  it('of a hall has walls that are planes within the noise', async () => {
    const scanner = await VirtualScanner.start({ scene: hall });
    await scanner.write('ScanMergerEnabled', true);
    await scanner.write('ScanMergerSource', 1);
    await scanner.write('EncSetting', 2);
    await scanner.write('EncResolution', 0.1);
    await scanner.write('EncoderTransformationType', 1);
    await scanner.write('EncoderTranslation', { x: 0.1, y: 0, z: 0 });
    await scanner.control('/encoder', { speed: 1000 });
    await scanner.pass(2000, 1000);
    await record(scanner, 10_000);
    const points = await fetchCloud(scanner);
    // 6 mm at a good echo, four times as much at the weakest one.
    const beside = points.filter(({ x }) => x < 19).map(({ y }) => y - 3);
    // 2 m are behind it.
    const ahead = points.filter(({ y }) => y < 2.5).map(({ x }) => x - 20);
    for (const wall of [beside, ahead]) {
      expect(wall.length).toBeGreaterThan(5000);
      expect(Math.abs(wall.reduce((sum, off) => sum + off, 0) / wall.length)).toBeLessThan(0.001);
      expect(wall.reduce((worst, off) => Math.max(worst, Math.abs(off)), 0)).toBeLessThan(0.1);
    }
  });

  it('of a room that is rolled in has its corners on their circles', async () => {
    const scanner = await VirtualScanner.start({ scene: { ...stillRoom, circles: [] } });
    await scanner.write('ScanMergerEnabled', true);
    await scanner.write('ScanMergerSource', 1);
    await scanner.write('EncSetting', 4);
    await scanner.write('EncResolution', 0.1);
    // 10 ticks a ms: 9° a second.
    await scanner.write('EncoderRotation', { yaw: 0, pitch: 0, roll: 0.0009 });
    await record(scanner, 20_000);
    const points = await fetchCloud(scanner);
    // The plane of the room turned about x: what was at y is anywhere at the same distance from the axis.
    for (const [x, radius] of [
      [5, 3],
      [5, 2],
      [-3, 3],
    ] as const) {
      for (const roll of [0, 45, 90, 135, 179]) {
        // The left side goes up; the right side begins at the other end.
        const side = radius === 2 ? -1 : 1;
        const angle = (roll * Math.PI) / 180;
        const y = side * radius * Math.cos(angle);
        const z = side * radius * Math.sin(angle);
        const near = points.reduce((least, p) => Math.min(least, Math.hypot(p.x - x, p.y - y, p.z - z)), 99);
        expect(near, `${x} ${radius} ${roll}`).toBeLessThan(0.05);
      }
    }
    expect(points.reduce((worst, p) => Math.max(worst, p.x), 0)).toBeLessThan(5.001);
    expect(points.reduce((worst, p) => Math.max(worst, Math.hypot(p.y, p.z)), 0)).toBeLessThan(3.001);
  });

  it('is refused while the recorder is off, to Run, and while one is saved; it ends with a reboot', async () => {
    const scanner = await VirtualScanner.start();
    const { client } = scanner;
    const refused = await client.call('StartScanMerge');
    expect(statusOf(refused)).toBe(2);
    expect(decodeURIComponent(String(refused.headers['azimuth-detail']))).toContain('ScanMergerEnabled');
    expect(statusOf(await client.post('StartScanMerge'))).toBe(4);
    expect(statusOf(await client.call('StartScanMerge', {}, authorizedClient))).toBe(4);
    await scanner.write('ScanMergerEnabled', true);
    await client.call('WriteEeprom');
    await record(scanner, 1000);
    const before = await fetchCloud(scanner);
    expectDone(await client.call('StartScanMerge'));
    expectDone(await client.call('StopScanMerge'));
    expect(statusOf(await client.call('StartScanMerge'))).toBe(2);
    await scanner.pass(1000);
    await until(async () => (await client.value('MergeSaving')) === false);
    expect(await fetchCloud(scanner)).toEqual([]);
    await record(scanner, 1000);
    expectDone(await client.call('StartScanMerge'));
    await scanner.pass(500);
    await scanner.softReset();
    expect(await client.value('MergeSaving')).toBe(false);
    expect(before.length).toBeGreaterThan(1000);
    expect((await fetchCloud(scanner)).length).toBeGreaterThan(1000);
  });

  it('is removed by ResetScanMergeView: HTTP 404', async () => {
    const scanner = await VirtualScanner.start();
    const { client } = scanner;
    await scanner.write('ScanMergerEnabled', true);
    await record(scanner, 200);
    const length = (await client.send({ method: 'HEAD', path: '/cloud.pcd' })).headers['content-length'];
    expect(Number(length)).toBeGreaterThan(1000);
    expectDone(await client.call('ResetScanMergeView'));
    const gone = await client.send({ method: 'GET', path: '/cloud.pcd' });
    expect([gone.httpStatus, gone.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
    expect((await client.send({ method: 'HEAD', path: '/cloud.pcd' })).httpStatus).toBe(404);
  });
});
