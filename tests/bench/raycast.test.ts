import { geometryOf, type ScanGeometry } from '@azimuth/device';
import { performanceProfiles } from '@azimuth/model';
import { parseScene } from '@azimuth/simulation/world';
import { describe, expect, it } from 'vitest';
import { BruteForce } from '../../bench/src/raycast/brute-force.js';
import { poses, sceneOf } from '../../bench/src/raycast/scene.js';
import { agree, raycastTasks } from '../../bench/src/raycast/tasks.js';

/** Beams at -90°, -45°, 0°, 45° and 90°. */
const five: ScanGeometry = { frequency: 50, firstAngle: -90, step: 45, beams: 5, beamsPerSegment: 5 };

function distances({ nearness }: BruteForce): number[] {
  return [...nearness].map((near) => (near === 0 ? 0 : 1 / near));
}

describe('casting by brute force', () => {
  const lines = Float64Array.of(
    ...[1, -0.1, 1, 0.1], // a post
    ...[2, -3, 2, 3], // behind it, 2 m away
    ...[-1, -1, -1, 1], // behind the scanner
  );

  it('meets the nearest line on each beam, and nothing where there is none', () => {
    const brute = new BruteForce(five, lines);
    brute.cast({ x: 0, y: 0, heading: 0 });
    const [, right = 0, ahead = 0, left = 0] = distances(brute);
    expect([right, ahead, left]).toEqual([
      expect.closeTo(2 * Math.SQRT2, 9),
      expect.closeTo(1, 9),
      expect.closeTo(2 * Math.SQRT2, 9),
    ]);
    expect([...brute.line]).toEqual([-1, 1, 0, 1, -1]);
    expect(brute.cosine[1]).toBeCloseTo(Math.SQRT1_2, 9);
    expect(brute.cosine[2]).toBeCloseTo(1, 9);
  });

  it('does so from another pose and heading', () => {
    const brute = new BruteForce(five, lines);
    brute.cast({ x: 0.5, y: 0, heading: Math.PI });
    expect(brute.line[2]).toBe(2);
    expect(distances(brute)[2]).toBeCloseTo(1.5, 9);
  });
});

describe('the scenes that are cast', () => {
  it('have as many lines as they say, and nothing within 2 m of the scanner', () => {
    const { walls } = parseScene(sceneOf(200), 'scene');
    expect(walls).toHaveLength(200);
    for (const { from, to } of walls) {
      expect(Math.hypot(...from)).toBeGreaterThan(2);
      expect(Math.hypot(...to)).toBeGreaterThan(2);
    }
    for (const { x, y } of poses) expect(Math.hypot(x, y)).toBeLessThan(2);
  });

  it('have 1105 beams cast over them', () => {
    expect(geometryOf(performanceProfiles[8]).beams).toBe(1105);
    const tasks = raycastTasks(20);
    expect(tasks.map(({ condition }) => condition)).toEqual(['20 lines', '20 lines', '20 lines', '20 lines']);
    for (const { call } of tasks) expect(call()).toBeGreaterThan(0);
  });

  it('are no measure where the two meet something else', () => {
    const one = Float64Array.of(0.5, 0.25);
    expect(() => agree(one, Float64Array.of(0.5, 0.25))).not.toThrow();
    expect(() => agree(one, Float64Array.of(0.5, 0.2500001))).toThrow('beam 1');
    expect(() => agree(one, Float64Array.of(0.5, 0))).toThrow('beam 1');
  });
});
