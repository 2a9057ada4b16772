import { describe, expect, it } from 'vitest';
import { PathFollower } from '../../src/motion/path.js';
import { loadScene, RayCaster, SceneBodies } from '../../src/world/index.js';
import { standingAt } from '../scene/measured-scene.js';
import { randomNumbers } from '../scene/random-scene.js';
import { DrawnMap, mapFile } from './drawn-maps.js';
import { rangeOnGrid } from './grid-ranges.js';

const geometry = { frequency: 20, firstAngle: -138, step: 1, beams: 277, beamsPerSegment: 277 };

/** Rooms with doors, pillars and thin walls. */
function rooms(): DrawnMap {
  const map = new DrawnMap(400, 300);
  map.fill(0, 0, 400, 2).fill(0, 298, 400, 2).fill(0, 0, 2, 300).fill(398, 0, 2, 300);
  for (let column = 80; column < 400; column += 80) map.fill(column, 0, 3, 120).fill(column, 150, 1, 150);
  map.fill(0, 200, 170, 1).fill(200, 200, 200, 1);
  for (let pillar = 0; pillar < 12; pillar++) map.fill(20 + 31 * pillar, 60 + 13 * pillar, 4, 5);
  return map;
}

/** Single cells, of which this share is occupied. */
function noise(share: number): DrawnMap {
  const random = randomNumbers(Math.round(1000 * share));
  const map = new DrawnMap(200, 150);
  for (let row = 0; row < map.height; row++)
    for (let column = 0; column < map.width; column++) if (random() < share) map.fill(column, row);
  return map;
}

/** Walls whose cells touch only at corners, and walls two cells wide, in several directions. */
function diagonalWalls(): DrawnMap {
  const map = new DrawnMap(300, 300);
  for (let cell = 0; cell < 140; cell++) {
    map.fill(10 + cell, 10 + cell).fill(150 + cell, 290 - cell, 2, 1);
    map.fill(10 + 2 * cell, 160 + Math.round(0.3 * cell), 2, 2).fill(200 + Math.round(0.5 * cell), 5 + cell);
  }
  return map;
}

describe('the outlines of a map', () => {
  it.each([
    { kind: 'rooms', map: rooms(), resolution: 0.05, origin: [0, 0, 0] },
    { kind: 'rooms far from the origin', map: rooms(), resolution: 0.05, origin: [-310.4, 77.7, 0] },
    { kind: 'a few cells', map: noise(0.03), resolution: 0.1, origin: [-3, -7, 0] },
    { kind: 'many cells', map: noise(0.4), resolution: 0.02, origin: [1, 2, 0] },
    { kind: 'diagonal walls', map: diagonalWalls(), resolution: 0.05, origin: [-8, -8, 0] },
    {
      kind: 'diagonal walls of a map that is turned',
      map: diagonalWalls(),
      resolution: 0.05,
      origin: [-3, 2, 0.7],
    },
    { kind: 'rooms of a map that is turned', map: rooms(), resolution: 0.07, origin: [4, -9, -2.5] },
    { kind: 'an empty map', map: new DrawnMap(10, 10), resolution: 0.05, origin: [0, 0, 0] },
  ])(
    'give the ranges of the grid: $kind',
    async ({ map, resolution, origin: [atX = 0, atY = 0, yaw = 0] }) => {
      const lines = { resolution: String(resolution), origin: `[${atX}, ${atY}, ${yaw}]` };
      const bodies = new SceneBodies(await loadScene(mapFile(map.pgm(), lines)));
      const caster = new RayCaster(geometry);
      const random = randomNumbers(7);
      const wrong: object[] = [];
      for (let count = 0; count < 150; ) {
        const [column, row, heading] = [random() * map.width, random() * map.height, random() * 7];
        if (map.isOccupied(Math.floor(column), Math.floor(row))) continue;
        count += 1;
        const x = atX + resolution * (column * Math.cos(yaw) - row * Math.sin(yaw));
        const y = atY + resolution * (column * Math.sin(yaw) + row * Math.cos(yaw));
        const { nearness } = caster.cast(bodies, standingAt({ x, y, heading }), 0).nearest;
        for (let beam = 0; beam < geometry.beams; beam++) {
          const direction = heading - yaw + ((geometry.firstAngle + beam * geometry.step) * Math.PI) / 180;
          const expected = resolution * rangeOnGrid(map, column, row, direction);
          const range = 1 / (nearness[beam] ?? 0);
          if (range !== expected && !(Math.abs(range - expected) < 1e-6))
            wrong.push({ column, row, beam, range, expected });
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each([
    { kind: 'rooms', map: rooms() },
    { kind: 'a few cells', map: noise(0.03) },
    { kind: 'many cells', map: noise(0.2) },
    { kind: 'diagonal walls', map: diagonalWalls() },
  ])('give the ranges of the grid to each beam of a scanner at 2 m/s and 90°/s: $kind', async ({ map }) => {
    const resolution = 0.05;
    const bodies = new SceneBodies(await loadScene(mapFile(map.pgm())));
    const caster = new RayCaster(geometry);
    // The path is on no border of cells.
    const waypoints = [0, 1, 2, 3].map((t) => ({ t, x: 1.0137 + 2 * t, y: 6.713, heading: 90 * t }));
    const drive = new PathFollower({ waypoints, repeat: 'stop', phase: 0 });
    const pose = { x: 0, y: 0, heading: 0 };
    const wrong: object[] = [];
    let beams = 0;
    for (let scan = 0; scan < 60; scan++) {
      const { nearness } = caster.cast(bodies, drive, scan / geometry.frequency).nearest;
      for (let beam = 0; beam < geometry.beams; beam++) {
        drive.pose((scan + (beam * geometry.step) / 360) / geometry.frequency, pose);
        const [column, row] = [pose.x / resolution, pose.y / resolution];
        if (map.isOccupied(Math.floor(column), Math.floor(row))) continue;
        beams += 1;
        const direction = pose.heading + ((geometry.firstAngle + beam * geometry.step) * Math.PI) / 180;
        const expected = resolution * rangeOnGrid(map, column, row, direction);
        const range = 1 / (nearness[beam] ?? 0);
        if (range !== expected && !(Math.abs(range - expected) < 1e-6))
          wrong.push({ scan, beam, range, expected });
      }
    }
    expect(wrong).toEqual([]);
    expect(beams).toBeGreaterThan(10_000);
  });
});
