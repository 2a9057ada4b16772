import { expect, it } from 'vitest';
import { object, parse } from '../support/json.js';
import { type Point, readPcd } from '../support/pcd.js';
import { endOf, SceneScanner, startOf } from '../support/scene-scanner.js';
import { statedStrength } from '../support/stated-strength.js';
import { TimeServer } from '../support/time-server.js';
import { until } from '../support/waiting.js';

/** A wall 4 m ahead, from y = -2 to 2 m: 26.57° to each side, the beams -79 to 79 of a third of a degree. */
const scene = { walls: [{ from: [4, -2], to: [4, 2] }] };
const beams = 159;

async function lifted(timeServerPort = 123): Promise<SceneScanner> {
  const scanner = await SceneScanner.start({ scene, timeServerPort });
  await scanner.write('ScanMergerEnabled', true);
  await scanner.write('ScanMergerSource', 1);
  await scanner.write('ScanMergeTrigger', 1);
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

async function cloud(scanner: SceneScanner): Promise<readonly Point[]> {
  const response = await fetch(`http://127.0.0.1:${scanner.testScanner.httpPort}/cloud.pcd`);
  expect(response.status).toBe(200);
  return readPcd(new Uint8Array(await response.arrayBuffer())).points;
}

/** The heights of a cloud in m, each with its points. */
function heightsOf(points: readonly Point[]): readonly (readonly [number, number])[] {
  const heights = new Map<number, number>();
  for (const { z } of points) heights.set(z, (heights.get(z) ?? 0) + 1);
  return [...heights];
}

/** Turns that lie wholly between two moments. */
function revolutionsBetween(start: number, end: number): readonly number[] {
  return Array.from({ length: 200 }, (_, number) => number).filter(
    (number) => startOf(number) >= start && endOf(number) <= end,
  );
}

it('the input of port 1 begins and ends a recording, and the encoder gives the position of each line', async () => {
  const scanner = await lifted();
  await scanner.control('/encoder', { speed: 1000 });
  scanner.goTo(2000);
  await scanner.drive(1, true);
  scanner.goTo(3000);
  await scanner.drive(1, false);
  // Levels count after 10 ms.
  scanner.goTo(3009);
  expect(await scanner.client.value('MergeSaving')).toBe(false);
  scanner.goTo(3011);
  await saved(scanner);

  const points = await cloud(scanner);
  const revolutions = revolutionsBetween(2010, 3010);
  expect(revolutions).toHaveLength(14);
  expect(points).toHaveLength(14 * beams);
  const heights = heightsOf(points);
  expect(heights.map(([, count]) => count)).toEqual(Array(14).fill(beams));
  for (const [index, revolution] of revolutions.entries()) {
    // 1 m/s, to a tick of 0.1 mm at each end.
    expect(heights[index]?.[0]).toBeCloseTo((startOf(revolution) - 2010) / 1000, 3);
  }
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
  const server = await TimeServer.answering();
  const scanner = await lifted(server.port);
  await scanner.write('TSCTCSrvAddr', [127, 0, 0, 1]);
  await scanner.control('/encoder', { speed: 1000 });
  const synchronised = async () => {
    const { text } = await scanner.client.send({ method: 'GET', path: '/x/time' });
    return object(object(object(parse(text)).data).time).Synchronised === true;
  };
  scanner.goTo(2000);
  await scanner.drive(1, true);
  scanner.goTo(2500);
  await scanner.write('TSCRole', 1);
  await until(synchronised);
  scanner.goTo(2800);
  await scanner.write('TSCRole', 0);
  scanner.goTo(3000);
  await scanner.drive(1, false);
  scanner.goTo(3011);
  await saved(scanner);
  const revolutions = revolutionsBetween(2010, 3010);
  const heights = heightsOf(await cloud(scanner));
  expect(heights.map(([, count]) => count)).toEqual(revolutions.map(() => beams));
  for (const [index, revolution] of revolutions.entries()) {
    expect(heights[index]?.[0]).toBeCloseTo((startOf(revolution) - 2010) / 1000, 3);
  }
});

it('a recording begins when the input becomes active, and the next one only after it was inactive', async () => {
  const scanner = await lifted();
  await scanner.control('/encoder', { speed: -500 });
  await scanner.drive(1, true);
  scanner.pass(10);
  await scanner.write('ScanMergerEnabled', false);
  await saved(scanner);
  const response = await fetch(`http://127.0.0.1:${scanner.testScanner.httpPort}/cloud.pcd`);
  expect(response.status).toBe(200);
  await scanner.write('ScanMergerEnabled', true);
  scanner.pass(5000);
  expect(await scanner.client.value('MergeSaving')).toBe(false);
  await scanner.drive(1, false);
  scanner.pass(10);
  // Nothing was recorded.
  expect(await scanner.client.value('MergeSaving')).toBe(false);

  await scanner.drive(1, true);
  scanner.pass(10);
  const start = scanner.now;
  scanner.pass(2000);
  await scanner.drive(1, false);
  scanner.pass(10);
  const revolutions = revolutionsBetween(start, scanner.now);
  await saved(scanner);
  const heights = heightsOf(await cloud(scanner));
  expect(heights).toHaveLength(revolutions.length);
  for (const [index, revolution] of revolutions.entries()) {
    // Downwards.
    expect(heights[index]?.[0]).toBeCloseTo(((startOf(revolution) - start) / 1000) * -0.5, 3);
  }
});

it('a recording ends by itself after 30 s, and the next one begins only after the input was inactive', async () => {
  const scanner = await lifted();
  await scanner.control('/encoder', { speed: 10 });
  await scanner.drive(1, true);
  scanner.goTo(30_009);
  expect(await scanner.client.value('MergeSaving')).toBe(false);
  scanner.goTo(30_011);
  await saved(scanner);
  const revolutions = Array.from({ length: 460 }, (_, number) => number).filter(
    (number) => startOf(number) >= 10 && endOf(number) <= 30_010,
  );
  expect(await cloud(scanner)).toHaveLength(revolutions.length * beams);
  scanner.pass(35_000);
  expect(await scanner.client.value('MergeSaving')).toBe(false);
});

it.each([
  { name: 'that became active while power was off', before: false },
  { name: 'that was active before it, too', before: true },
])('an input $name begins a recording at a boot, and ends it', async ({ before }) => {
  const scanner = await lifted();
  await scanner.configure({ 1: { InputSettings: { Sensitivity: 1 } } });
  await scanner.answer('WriteEeprom');
  await scanner.control('/encoder', { speed: 1000 });
  if (before) {
    await scanner.drive(1, true);
    scanner.pass(1000);
  }
  await scanner.control('/power-cycle');
  await scanner.drive(1, true);
  const up = await scanner.comeUp();
  expect(await scanner.isActive(1)).toBe(true);
  scanner.pass(990);
  await scanner.drive(1, false);
  scanner.pass(10);
  expect(scanner.now).toBe(up + 1000);
  await saved(scanner);
  expect(await cloud(scanner)).toHaveLength(revolutionsBetween(0, 1000).length * beams);
});

it('a recording keeps the settings with which it began, including the trigger', async () => {
  const scanner = await lifted();
  await scanner.write('ScanMergeTrigger', 0);
  await scanner.act('StartScanMerge');
  scanner.pass(500);
  await scanner.write('ScanMergeTrigger', 1);
  await scanner.drive(1, true);
  scanner.pass(10);
  await scanner.drive(1, false);
  scanner.pass(10);
  // It was begun by a call, and no input ends it.
  expect(await scanner.client.value('MergeSaving')).toBe(false);
  await scanner.act('StopScanMerge');
  await saved(scanner);
});

it('StartScanMerge is refused while the input is the trigger', async () => {
  const scanner = await lifted();
  const reply = await scanner.client.call('StartScanMerge');
  expect(reply.text).toContain('"status":2');
  expect(decodeURIComponent(String(reply.headers['azimuth-detail']))).toContain('ScanMergeTrigger');
});
