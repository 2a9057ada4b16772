import type { ScanGeometry } from '@azimuth/device';
import { describe, expect, it } from 'vitest';
import type { Hits } from '../../src/casting/ray-caster.js';
import type { Pose } from '../../src/motion/pose.js';
import type { SceneFile } from '../../src/world/index.js';
import { RayCaster, SceneBodies } from '../../src/world/index.js';
import { castByForce } from './brute-force.js';
import { geometryOfProfile, sceneOf, standingAt } from './measured-scene.js';
import { randomNumbers, randomScene } from './random-scene.js';

const quarter = geometryOfProfile(8);

function cast(file: SceneFile, pose: Partial<Pose> = {}, geometry = quarter): Hits {
  const bodies = new SceneBodies(sceneOf(file));
  return new RayCaster(geometry).cast(bodies, standingAt({ x: 0, y: 0, heading: 0, ...pose }), 0);
}

function distances(file: SceneFile, pose: Partial<Pose> = {}, geometry = quarter): number[] {
  return Array.from(cast(file, pose, geometry).nearest.nearness, (nearness) => 1 / nearness);
}

/** Returns the beams whose hit differs from brute force. On the end of a wall, both hits are correct. */
function differing(file: SceneFile, pose: Pose, geometry: ScanGeometry): number[] {
  const scene = sceneOf(file);
  const { nearness, cosine } = cast(file, pose, geometry).nearest;
  const wide = castByForce(scene, geometry, pose, 1e-7);
  const narrow = castByForce(scene, geometry, pose, -1e-7);
  return wide.flatMap((hit, beam) => {
    const fits = [hit, narrow[beam]].some((expected) => {
      if (expected === undefined) return nearness[beam] === 0;
      const distance = 1 / (nearness[beam] ?? 0);
      const same = Math.abs(distance - expected.distance) < 1e-6 * (1 + expected.distance / expected.cosine);
      return same && Math.abs((cosine[beam] ?? 0) - expected.cosine) < 1e-4;
    });
    return fits ? [] : [beam];
  });
}

describe('casting beams', () => {
  it('finds what brute force finds, in worlds and at poses drawn at random', () => {
    let hits = 0;
    for (let seed = 0; seed < 60; seed++) {
      const random = randomNumbers(1000 + seed);
      const geometry = geometryOfProfile(seed % 2 === 0 ? 8 : 11);
      const pose = { x: (random() - 0.5) * 20, y: (random() - 0.5) * 20, heading: random() * 20 - 10 };
      const file = randomScene(seed, 5 + (seed % 4) * 40, seed % 7);
      expect(differing(file, pose, geometry), `seed ${seed}`).toEqual([]);
      hits += cast(file, pose, geometry).nearest.nearness.filter((nearness) => nearness > 0).length;
    }
    expect(hits).toBeGreaterThan(10_000);
  });

  it('finds the same over a whole turn, whichever beam is the first', () => {
    for (const firstAngle of [-180, -137.3, 0, 90, 180]) {
      const geometry = { frequency: 50, firstAngle, step: 0.5, beams: 720, beamsPerSegment: 120 };
      for (let seed = 0; seed < 8; seed++) {
        expect(differing(randomScene(seed, 60, 3), { x: 1, y: 2, heading: seed }, geometry)).toEqual([]);
      }
    }
  });

  it.each([-180, -138, -90, 0, 45, 90, 137.75, 138, 180].map((corner) => ({ corner })))(
    'lets no light through closed walls whose corner is at $corner°',
    ({ corner }) => {
      const geometry = { frequency: 50, firstAngle: -180, step: 0.25, beams: 1440, beamsPerSegment: 240 };
      for (const sides of [3, 4, 5, 8, 360]) {
        const points = Array.from({ length: sides }, (_, index) => {
          const angle = ((corner + (360 * index) / sides) * Math.PI) / 180;
          return [7 * Math.cos(angle), 7 * Math.sin(angle)] as const;
        });
        // Both directions, as one outline and as separate walls.
        const outline = { polygons: [{ points }] };
        const walls = points.map((from, index) => ({ from, to: points[(index + 1) % sides] ?? from }));
        const backward = walls.map(({ from, to }) => ({ from: to, to: from }));
        for (const file of [outline, { walls }, { walls: backward }]) {
          const far = distances(file, {}, geometry);
          expect(Math.max(...far)).toBeLessThan(7.000001);
          expect(Math.min(...far)).toBeGreaterThan(7 * Math.cos(Math.PI / sides) - 1e-9);
        }
      }
    },
  );

  it('meets a wall with the beams exactly on its ends, and no other', () => {
    // From -45° to 45°, 5 m ahead.
    const found = distances({ walls: [{ from: [5, -5], to: [5, 5] }] });
    const beams = found.flatMap((distance, beam) => (distance < 100 ? [beam] : []));
    expect([beams[0], beams.at(-1), beams.length]).toEqual([(138 - 45) * 4, (138 + 45) * 4, 361]);
  });

  it('sees a wall that reaches across the blind sector at both ends of the field', () => {
    // 3 m behind, wide: at ±138° it is 3 / cos 42° away.
    const found = distances({ walls: [{ from: [-3, 50], to: [-3, -50] }] });
    expect(found[0]).toBeCloseTo(4.036897, 5);
    expect(found.at(-1)).toBeCloseTo(4.036897, 5);
    expect(found[552]).toBe(Number.POSITIVE_INFINITY);
  });

  it('does not see a wall through itself, one edge-on, or one without length', () => {
    const walls = [
      { from: [-1, -1], to: [1, 1] },
      { from: [2, 0], to: [8, 0] },
      { from: [3, 3], to: [3, 3] },
      { from: [0, 0], to: [4, 1] },
      { from: [0, 0], to: [0, 0] },
    ] as const;
    expect(distances({ walls }).every((distance) => distance === Number.POSITIVE_INFINITY)).toBe(true);
  });

  it('sees a circle from outside, and from inside all around', () => {
    const outside = distances({ circles: [{ center: [5, 0], radius: 1 }] });
    expect(outside[552]).toBeCloseTo(4, 9);
    // 5°: 5 cos 5° - sqrt(1 - (5 sin 5°)²)
    expect(outside[572]).toBeCloseTo(4.080919, 5);
    // It ends at asin(1/5) = 11.54°.
    expect(outside[552 + 46]).toBeLessThan(5);
    expect(outside[552 + 47]).toBe(Number.POSITIVE_INFINITY);
    const inside = distances({ circles: [{ center: [1, 0], radius: 3 }] });
    expect(inside[552]).toBeCloseTo(4, 9);
    expect(inside[552 + 360]).toBeCloseTo(Math.sqrt(8), 9);
    expect(Math.max(...inside)).toBeLessThan(4.000001);
  });

  it('sees a circle across the blind sector, and not one that it stands on', () => {
    const behind = distances({ circles: [{ center: [-3, 0], radius: 2.5 }] });
    expect(behind[0]).toBeLessThan(3);
    expect(behind.at(-1)).toBeCloseTo(behind[0] ?? 0, 9);
    const on = distances({ circles: [{ center: [2, 0], radius: 2 }] });
    expect(on[552]).toBeCloseTo(4, 9);
    expect(on[552 + 480]).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes the nearest of several surfaces, with its angle of incidence', () => {
    const { nearest } = cast({
      walls: [
        { from: [9, -9], to: [9, 9] },
        { from: [4, -2], to: [8, 2] },
        { from: [7, -1], to: [7, 1] },
      ],
    });
    expect(1 / (nearest.nearness[552] ?? 0)).toBeCloseTo(6, 9);
    expect(nearest.cosine[552]).toBeCloseTo(Math.SQRT1_2, 9);
  });
});

describe('ends of walls on a raster', () => {
  it('give the result of brute force, also with walls through the scanner and along its beams', () => {
    for (let seed = 0; seed < 40; seed++) {
      const heading = ((seed % 8) * Math.PI) / 4;
      const pose = { x: (seed % 5) - 2, y: (seed % 3) - 1, heading };
      const file = randomScene(seed, 120, 0, 0.5);
      expect(differing(file, pose, geometryOfProfile(11)), `seed ${seed}`).toEqual([]);
    }
  });
});
