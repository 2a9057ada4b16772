import { expect, it } from 'vitest';
import { differing, profiles, randomMotion, times } from '../casting/moving-scenes.js';
import { geometryOfProfile } from '../scene/measured-scene.js';

it.each(profiles)('beams of profile %i meet what brute force finds in many scenes that move', (profile) => {
  for (let seed = 2; seed < 8; seed++) {
    const file = randomMotion(100 * profile + seed, 30 + 40 * (seed % 3), seed * 2);
    const { wrong } = differing(file, geometryOfProfile(profile), times);
    expect(wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
  }
});

it('beams meet what brute force finds if the scanner drives through many walls and along them', () => {
  for (let seed = 6; seed < 40; seed++) {
    const { wrong } = differing(randomMotion(seed, 200, 10, 0.5), geometryOfProfile(8), times);
    expect(wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
  }
});
