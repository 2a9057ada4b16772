import { describe, expect, it } from 'vitest';
import { RayCaster, ScannerMount, SceneBodies } from '../../src/world/index.js';
import { geometryOfProfile } from '../scene/measured-scene.js';
import {
  differing,
  differingCrossings,
  profiles,
  randomClear,
  randomMotion,
  randomWalk,
  roomWithCornersOnBeams,
  times,
} from './moving-scenes.js';

/** More scenes are in test/long/moving-rays.test.ts. */
describe('beams of a scanner that moves among actors that move', () => {
  it.each(profiles)('meet what brute force finds beam by beam, with profile %i', (profile) => {
    let met = 0;
    for (let seed = 0; seed < 2; seed++) {
      const file = randomMotion(100 * profile + seed, 30 + 40 * (seed % 3), seed * 2);
      const result = differing(file, geometryOfProfile(profile), times);
      expect(result.wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
      met += result.met;
    }
    expect(met).toBeGreaterThan(500);
  });

  it('meet what brute force finds if the scanner drives through walls and along them', () => {
    for (let seed = 0; seed < 6; seed++) {
      const file = randomMotion(seed, 200, 10, 0.5);
      const result = differing(file, geometryOfProfile(8), times);
      expect(result.wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
    }
  });

  it('meet walking legs where brute force finds them', () => {
    let met = 0;
    for (let seed = 0; seed < 8; seed++) {
      const result = differing(randomWalk(seed), geometryOfProfile(seed % 2 === 0 ? 8 : 4), times);
      expect(result.wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
      met += result.met;
    }
    expect(met).toBeGreaterThan(1000);
  });

  it('cross glass and fog where brute force finds them', () => {
    const met = { glass: 0, fog: 0 };
    for (let seed = 0; seed < 8; seed++) {
      const geometry = geometryOfProfile(seed % 2 === 0 ? 8 : 4);
      const result = differingCrossings(randomClear(seed), geometry);
      expect(result.wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
      met.glass += result.met.glass;
      met.fog += result.met.fog;
    }
    expect(met.glass).toBeGreaterThan(1000);
    expect(met.fog).toBeGreaterThan(1000);
  });

  it.each([
    ['the scanner moves in', false],
    ['moves about the scanner', true],
  ])('do not escape through the corners of a closed room that %s', (_, roomMoves) => {
    for (let seed = 0; seed < 60; seed++) {
      const geometry = geometryOfProfile(profiles[seed % profiles.length] ?? 8);
      const begin = times[seed % times.length] ?? 0;
      const scene = roomWithCornersOnBeams(seed, geometry, begin, roomMoves);
      const caster = new RayCaster(geometry);
      const { nearness } = caster.cast(
        new SceneBodies(scene),
        new ScannerMount(scene.scanner),
        begin,
      ).nearest;
      const escaped = [...nearness.keys()].filter((beam) => nearness[beam] === 0);
      expect(escaped, `seed ${seed}`).toEqual([]);
    }
  });
});
