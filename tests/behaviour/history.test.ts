import { MemoryStorage } from '@azimuth/device';
import { rectangle, SceneScanner } from '@azimuth/test-support/scene-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, it } from 'vitest';

const scene = {
  actors: [
    {
      name: 'cart',
      boxes: [{ center: [0, 0], size: [0.5, 0.5] }],
      path: { waypoints: [{ t: 0, x: 9, y: 0 }] },
    },
  ],
};
const ids = Array.from({ length: 20 }, (_, index) => index + 1);
const fields = ids.map((Id) => ({
  Id,
  Name: `field ${Id}`,
  Points: rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 }),
}));
const groups = [{ Id: 1, Evaluations: ids }];

async function watching(options: Parameters<typeof SceneScanner.start>[0] = {}): Promise<SceneScanner> {
  const scanner = await SceneScanner.start({ scene, ...options });
  await scanner.define(fields, groups);
  return scanner;
}

/** The cart goes into all fields and out again, which takes a second. */
async function visit(scanner: SceneScanner): Promise<void> {
  await scanner.move('cart', 2, 0);
  scanner.pass(500);
  expect(await scanner.states(20)).toEqual(Array(20).fill(4));
  await scanner.move('cart', 9, 0);
  scanner.pass(500);
  expect(await scanner.states(20)).toEqual(Array(20).fill(2));
}

const evaluationsIn = async (scanner: SceneScanner) =>
  (await scanner.history()).map(({ EvaluationId }) => EvaluationId);

it.each([
  ['1.4.0', []],
  ['1.5.0', ids],
] as const)('release %s, which has no switch, keeps a history of %j', async (release, expected) => {
  const scanner = await watching({ release });
  expect((await scanner.testScanner.client().get('EnableDetectionHistory')).text).toContain('"status":5');
  await visit(scanner);
  expect(await evaluationsIn(scanner)).toEqual(expected);
});

it('the history survives SIGTERM, a power cut one second after a detection, and factory defaults', async () => {
  const storage = new MemoryStorage();
  const first = await watching({ storage });
  await first.callDone('WriteEeprom');
  await first.move('cart', 2, 0);
  first.pass(200);
  const found = await first.history();
  expect(found).toHaveLength(20);
  // Not a second has passed since.
  await first.testScanner.service.close();

  const second = await SceneScanner.start({ scene, storage });
  expect(await second.history()).toEqual(found);
  await visit(second);
  await second.powerCycle();
  expect(await evaluationsIn(second)).toEqual([...ids, ...ids]);
  const both = await second.history();
  await second.act('LoadFactoryDefaults');
  expect(await second.history()).toEqual(both);
});

it('a detection is on disk after one second; ResetDetectionHistory empties the file before it answers', async () => {
  const storage = new MemoryStorage();
  const first = await watching({ storage });
  await first.callDone('WriteEeprom');
  // What another scanner would find on the disk if this one were gone by now.
  const onDisk = async () => (await SceneScanner.start({ scene, storage })).history();
  await first.move('cart', 2, 0);
  first.pass(200);
  const found = await first.history();
  expect(found).toHaveLength(20);
  expect(await onDisk()).toEqual([]);
  first.pass(1000);
  await until(async () => (await onDisk()).length > 0);
  expect(await onDisk()).toEqual(found);
  await first.act('ResetDetectionHistory');
  expect(await first.history()).toEqual([]);
  expect(await onDisk()).toEqual([]);
});
