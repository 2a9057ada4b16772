import { expect, test } from 'vitest';
import { PathFollower, ScannerMount } from '../../src/motion/path.js';
import { RayCaster, SceneBodies } from '../../src/world/index.js';
import { geometryOfProfile, quarterDegree, sceneOf } from '../scene/measured-scene.js';

/** m to the wall at x = 10 m, straight ahead. */
function aheadOf(caster: RayCaster, bodies: SceneBodies, mount: ScannerMount, time: number): number {
  const { nearest } = caster.cast(bodies, mount, time);
  return 1 / (nearest.nearness[552] ?? 0);
}

test('a scanner that was fixed in its place sees from elsewhere when it has been put onto a vehicle', () => {
  const bodies = new SceneBodies(
    sceneOf({
      walls: [{ from: [10, -9], to: [10, 9] }],
    }),
  );
  const caster = new RayCaster(geometryOfProfile(quarterDegree));
  const mount = new ScannerMount({ x: 0, y: 0, heading: 0 });
  expect([0, 1, 2].map((time) => aheadOf(caster, bodies, mount, time))).toEqual([10, 10, 10]);
  const waypoints = [0, 10].map((t) => ({ t, x: 3, y: 0, heading: 0 }));
  mount.ride(new PathFollower({ waypoints, repeat: 'stop', phase: 0 }));
  expect(aheadOf(caster, bodies, mount, 3)).toBeCloseTo(7, 9);
});

test('two scanners of one caster see each from its place', () => {
  const bodies = new SceneBodies(
    sceneOf({
      walls: [{ from: [10, -9], to: [10, 9] }],
    }),
  );
  const caster = new RayCaster(geometryOfProfile(quarterDegree));
  const mounts = [0, 4].map((x) => new ScannerMount({ x, y: 0, heading: 0 }));
  expect(mounts.map((mount) => aheadOf(caster, bodies, mount, 0))).toEqual([10, 6]);
});
