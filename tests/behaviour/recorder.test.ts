import { object, parse } from '@azimuth/test-support/json';
import { type Point, readPcd } from '@azimuth/test-support/pcd';
import { endOf, revolution, SceneScanner, startOf } from '@azimuth/test-support/scene-scanner';
import { statedStrength } from '@azimuth/test-support/stated-strength';
import { TimeServer } from '@azimuth/test-support/time-server';
import { until } from '@azimuth/test-support/waiting';
import { expect, it } from 'vitest';

/** A wall 4 m ahead, from y = -2 to 2 m: 26.57° to each side, the beams -79 to 79 of a third of a degree. */
const scene = { walls: [{ from: [4, -2], to: [4, 2] }] };
const beams = 159;
/** Number of the beam straight ahead, and of those of 360°. */
const straightAhead = 138 * 3;
const beamsOfCircle = 360 * 3;

async function lifted(timeServerPort = 123): Promise<SceneScanner> {
  const scanner = await SceneScanner.start({ scene, timeServerPort });
  await scanner.write('ScanMergerEnabled', true);
  await scanner.write('ScanMergerSource', 1);
  await scanner.write('EncSetting', 2);
  await scanner.write('EncResolution', 0.1);
  await scanner.write('EncoderTransformationType', 1);
  await scanner.write('EncoderTranslation', { x: 0, y: 0, z: 0.1 });
  // Nothing there yet; and who answers that can record, too.
  const { httpStatus } = await scanner.client.send({ method: 'GET', path: '/cloud.pcd' });
  expect(httpStatus).toBe(404);
  return scanner;
}

async function saved(scanner: SceneScanner): Promise<void> {
  expect(await scanner.client.value('MergeSaving')).toBe(true);
  scanner.pass(1000);
  await until(async () => (await scanner.client.value('MergeSaving')) === false);
}

/** MergeRunning, MergeSaving and SaveProgress. */
async function merging({ client }: SceneScanner): Promise<readonly unknown[]> {
  return [
    await client.value('MergeRunning'),
    await client.value('MergeSaving'),
    await client.value('SaveProgress'),
  ];
}

async function cloud(scanner: SceneScanner): Promise<readonly Point[]> {
  const response = await fetch(`http://127.0.0.1:${scanner.testScanner.httpPort}/cloud.pcd`);
  expect(response.status).toBe(200);
  return readPcd(new Uint8Array(await response.arrayBuffer())).points;
}

/**
 * Expects each point at the height that the encoder had at the time of its beam: 1 m/s since `start`, to a tick of 0.1 mm at
 * each end.
 */
function expectHeights(points: readonly Point[], revolutions: readonly number[], start: number): void {
  expect(points).toHaveLength(revolutions.length * beams);
  for (const [at, { z }] of points.entries()) {
    const beam = straightAhead - 79 + (at % beams);
    const time = startOf(revolutions[Math.floor(at / beams)] ?? 0) + (beam * revolution) / beamsOfCircle;
    expect(z).toBeCloseTo((time - start) / 1000, 3);
  }
}

/** Turns that lie wholly between two moments. */
function revolutionsBetween(start: number, end: number): readonly number[] {
  return Array.from({ length: 200 }, (_, number) => number).filter(
    (number) => startOf(number) >= start && endOf(number) <= end,
  );
}

it('StartScanMerge begins a recording and StopScanMerge ends it, and the encoder gives the position of each line', async () => {
  const scanner = await lifted();
  await scanner.control('/encoder', { speed: 1000 });
  scanner.goTo(2010);
  await scanner.act('StartScanMerge');
  scanner.goTo(3010);
  expect(await merging(scanner)).toEqual([true, false, 0]);
  await scanner.act('StopScanMerge');
  await saved(scanner);
  expect(await merging(scanner)).toEqual([false, false, 100]);

  const points = await cloud(scanner);
  const revolutions = revolutionsBetween(2010, 3010);
  expect(revolutions).toHaveLength(14);
  expectHeights(points, revolutions, 2010);
  for (const [at, { x, y, intensity }] of points.entries()) {
    const direction = (((at % beams) - 79) / 3) * (Math.PI / 180);
    expect(Math.abs(x - 4)).toBeLessThan(0.001);
    expect(Math.abs(y - 4 * Math.tan(direction))).toBeLessThan(0.001);
    // 65535 × 0.5 × cos / (1 + (4 m / cos / 10 m)²)
    const strength = (32767.5 * Math.cos(direction)) / (1 + (0.4 / Math.cos(direction)) ** 2);
    expect(intensity).toBe(statedStrength(strength));
  }
});

it('a jump of the clock is not recorded as movement', async () => {
  const server = await TimeServer.responding();
  const scanner = await lifted(server.port);
  await scanner.write('TSCTCSrvAddr', [127, 0, 0, 1]);
  await scanner.control('/encoder', { speed: 1000 });
  const synchronised = async () => {
    const { text } = await scanner.client.send({ method: 'GET', path: '/x/time' });
    return object(object(object(parse(text)).data).time).Synchronised === true;
  };
  scanner.goTo(2010);
  await scanner.act('StartScanMerge');
  scanner.goTo(2500);
  await scanner.write('TSCRole', 1);
  await until(synchronised);
  scanner.goTo(2800);
  await scanner.write('TSCRole', 0);
  scanner.goTo(3010);
  await scanner.act('StopScanMerge');
  await saved(scanner);
  const revolutions = revolutionsBetween(2010, 3010);
  expectHeights(await cloud(scanner), revolutions, 2010);
});
