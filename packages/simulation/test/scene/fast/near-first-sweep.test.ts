import { describe, expect, it } from 'vitest';
import type { Hits } from '../../../src/casting/ray-caster.js';
import { RayCaster, SceneBodies, type SceneFile } from '../../../src/world/index.js';
import { geometryOfProfile, sceneOf, standingAt } from '../measured-scene.js';
import { randomNumbers, randomScene } from '../random-scene.js';

const quarter = geometryOfProfile(8);

describe('a sweep of groups of lines, the nearest first, by a scanner that drives among many walls', () => {
  const wholeTurn = { frequency: 50, firstAngle: -180, step: 0.5, beams: 720, beamsPerSegment: 120 };

  /** Walls of two materials; every tenth stands twice, once of each. Two of them are as long as the scene. */
  function manyWalls(seed: number, count: number, raster: number): SceneFile {
    const { walls = [], circles = [] } = randomScene(seed, count, 20, raster);
    const painted = walls.map((wall, index) => ({ ...wall, material: index % 3 === 0 ? 'black' : 'white' }));
    const twice = painted
      .filter((_, index) => index % 10 === 0)
      .map((wall) => ({ ...wall, material: wall.material === 'black' ? 'white' : 'black' }));
    const long = [
      { from: [-20, 9], to: [20, 11] },
      { from: [-18, -15], to: [-17, 15] },
    ] as const;
    return { walls: [...painted, ...twice, ...long], circles };
  }

  /** Returns the surface that each beam meets; undefined if it meets nothing. */
  function surfacesMet({ nearest: { nearness, cosine, material } }: Hits) {
    return Array.from(nearness, (value, beam) =>
      value === 0 ? undefined : [value, cosine[beam], material[beam]],
    );
  }

  it.each([
    { walls: 2000, raster: 0, geometry: quarter },
    { walls: 2000, raster: 0.5, geometry: wholeTurn },
    { walls: 3000, raster: 0, geometry: wholeTurn },
    { walls: 3000, raster: 0.5, geometry: quarter },
  ])(
    'finds exactly what a sweep over all lines in their order finds ($walls walls, raster of $raster m)',
    (settings) => {
      for (let seed = 0; seed < 4; seed++) {
        const random = randomNumbers(seed);
        const scene = sceneOf(manyWalls(seed, settings.walls, settings.raster));
        const bodies = new SceneBodies(scene);
        const driving = new RayCaster(settings.geometry);
        for (let turn = 0; turn < 12; turn++) {
          const place = () => Math.round((random() - 0.5) * 40) / 2;
          // Some poses are on the raster, some are far outside the scene.
          const pose =
            turn % 3 === 0
              ? { x: place(), y: place(), heading: (turn * Math.PI) / 4 }
              : { x: (random() - 0.5) * 70, y: (random() - 0.5) * 50, heading: random() * 20 };
          // At its first pose, a caster sweeps over all lines in their order.
          const fresh = new RayCaster(settings.geometry);
          const found = surfacesMet(driving.cast(bodies, standingAt(pose), 0));
          expect(found, `seed ${seed}, turn ${turn}`).toEqual(
            surfacesMet(fresh.cast(bodies, standingAt(pose), 0)),
          );
        }
      }
    },
  );

  it('finds the same if all walls are on one line', () => {
    const walls = Array.from({ length: 2400 }, (_, wall) => ({
      from: [wall / 60, 3] as const,
      to: [wall / 60 + 1 / 60, 3] as const,
    }));
    const bodies = new SceneBodies(sceneOf({ walls }));
    const driving = new RayCaster(quarter);
    for (const x of [0, 20, 60]) {
      const pose = { x, y: 0, heading: 0 };
      const found = surfacesMet(driving.cast(bodies, standingAt(pose), 0));
      expect(found).toEqual(surfacesMet(new RayCaster(quarter).cast(bodies, standingAt(pose), 0)));
    }
  });
});
