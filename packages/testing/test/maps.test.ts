import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadScene } from '@azimuth/simulation/world';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

const hall = fileURLToPath(new URL('../../simulation/scenes/hall.yaml', import.meta.url));

/** Returns what the beam straight ahead meets. */
async function aheadOf(scene: StartOptions['scene']) {
  const scanner = await startScanner({ scene });
  onTestFinished(() => scanner.close());
  const { destination } = await datagramDriver();
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(200);
  const { beams } = await scanner.truth();
  return beams.find(({ angle }) => Math.abs(angle) < 0.01)?.surface;
}

test('a scanner measures in a ROS map, and its truth says so', async () => {
  expect(await aheadOf(hall)).toMatchObject({ object: 'map', material: 'grey' });
  expect((await aheadOf(hall))?.distance).toBeCloseTo(8600, 6);
});

test('a map takes the place of another scene while the scanner measures', async () => {
  const scanner = await startScanner({ scene: 'empty-room' });
  onTestFinished(() => scanner.close());
  await scanner.simulation.scene(hall);
  const { destination } = await datagramDriver();
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(200);
  const { beams } = await scanner.truth();
  expect(new Set(beams.map(({ surface }) => surface?.object))).toEqual(new Set(['map']));
});

test('a map has a place in a scene file beside actors, walls and the scanner', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'depot.yaml'), 'image: depot.pgm\nresolution: 1\norigin: [5, -2, 0]');
  writeFileSync(join(folder, 'depot.pgm'), 'P2 1 4 255 0 0 0 0');
  const scene = join(folder, 'depot.json');
  const actor = { circles: [{ center: [0, 0], radius: 1 }], path: { waypoints: [{ t: 0, x: 0, y: 4 }] } };
  writeFileSync(scene, JSON.stringify({ map: 'depot.yaml', actors: [actor], scanner: { x: 1 } }));
  expect(await aheadOf(scene)).toMatchObject({ object: 'map' });
  expect((await aheadOf(scene))?.distance).toBeCloseTo(4000, 6);
  const turned = { ...(await loadScene(scene)), scanner: { x: 0, y: 0, heading: 90 } };
  expect(await aheadOf(turned)).toMatchObject({ object: 'actors[0].circles[0]' });
});
