import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RayCaster } from '../../src/casting/ray-caster.js';
import { loadScene, SceneBodies } from '../../src/world/index.js';
import { standingAt } from '../scene/measured-scene.js';
import { DrawnMap } from './drawn-maps.js';

const scenes = fileURLToPath(new URL('../../scenes/', import.meta.url));

/** A hall of 12 m by 8 m, 0.1 m for each cell: rooms with doors, a wall across, pillars, and shelves. */
function hall(): DrawnMap {
  const map = new DrawnMap(120, 80);
  map.fill(2, 2, 116, 2).fill(2, 76, 116, 2).fill(2, 2, 2, 76).fill(116, 2, 2, 76);
  map.fill(2, 52, 30, 1).fill(42, 52, 16, 1).fill(57, 52, 1, 24);
  map.fill(80, 2, 1, 20).fill(80, 32, 1, 2).fill(80, 33, 36, 1);
  for (let cell = 0; cell < 24; cell++) map.fill(88 + cell, 76 - cell, 2, 1);
  for (const column of [20, 50, 80]) map.fill(column, 42, 4, 4);
  for (let shelf = 0; shelf < 4; shelf++) map.fill(12 + 15 * shelf, 8, 9, 3);
  return map;
}

/** Where the rooms are: what the map knows. */
function isInside(column: number, row: number): boolean {
  return column > 3 && row > 3 && column < 116 && row < 76 && column + row < 164;
}

/** Returns a PGM file of text with a line for each row: 0 occupied, 254 free, 205 unknown. */
function textOf(map: DrawnMap): string {
  const rows = Array.from({ length: map.height }, (_, fromTop) => {
    const row = map.height - 1 - fromTop;
    return Array.from({ length: map.width }, (_, column) => {
      if (map.isOccupied(column, row)) return 0;
      return isInside(column, row) ? 254 : 205;
    }).join(' ');
  });
  return `P2\n# A hall, drawn by packages/simulation/test/map/example-map.test.ts\n${map.width} ${map.height}\n255\n${rows.join('\n')}\n`;
}

it('the example map is drawn by this test (npx vitest -u draws it again)', async () => {
  await expect(textOf(hall())).toMatchFileSnapshot(`${scenes}hall.pgm`);
});

it('the example map is a scene in which the scanner stands in the largest room', async () => {
  const { map, scanner, ...scene } = await loadScene(`${scenes}hall.yaml`);
  expect(map).toMatchObject({ name: 'hall.yaml', resolution: 0.1, x: -3, y: -2.5 });
  const caster = new RayCaster({ frequency: 20, firstAngle: -90, step: 90, beams: 3, beamsPerSegment: 3 });
  const { nearness } = caster.cast(
    new SceneBodies({ map, scanner, ...scene }),
    standingAt({ x: 0, y: 0, heading: 0 }),
    0,
  ).nearest;
  expect(Array.from(nearness, (value) => Math.round(1000 / value))).toEqual([1400, 8600, 2700]);
});
