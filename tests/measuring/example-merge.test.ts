import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mergedScan } from '../../examples/worlds/merge.mjs';

const world = fileURLToPath(new URL('../../examples/worlds/agv.json', import.meta.url));

/** Directions (degrees) in which a point is seen from the middle of the vehicle, which is at -1.3, -0.12 at 5 s. */
async function directionsSeenBy(names: readonly string[]): Promise<ReadonlySet<number>> {
  const points = await mergedScan(world, names, 5000);
  return new Set(points.map(({ x, y }) => Math.round((Math.atan2(y + 0.12, x + 1.3) * 180) / Math.PI)));
}

test('the merged scan of both corners sees all around the vehicle, which neither of them does', async () => {
  const both = await directionsSeenBy(['front', 'rear']);
  const front = await directionsSeenBy(['front']);
  expect(both.size).toBeGreaterThan(335);
  expect(front.size).toBeLessThan(both.size - 20);
});

test('the merged points are on walls that both scanners see, although the vehicle drives', async () => {
  const points = await mergedScan(world, ['front', 'rear'], 5000);
  // The end of the hall: a wall at x = -8, of which each scanner sees its part.
  const atEnd = points.filter(({ x, y }) => x < -7.5 && Math.abs(y) < 1.2);
  expect(atEnd.length).toBeGreaterThan(20);
  for (const { x } of atEnd) expect(Math.abs(x + 8)).toBeLessThan(0.08);
});
