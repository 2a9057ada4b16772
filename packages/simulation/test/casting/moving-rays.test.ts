import type { ScanGeometry } from '@azimuth/device';
import { beamInterval } from '@azimuth/device/cores';
import { describe, expect, it } from 'vitest';
import { PathFollower } from '../../src/motion/path.js';
import type { Pose } from '../../src/motion/pose.js';
import { RayCaster, ScannerMount, type Scene, SceneBodies, type SceneFile } from '../../src/world/index.js';
import { type Hit, hitOfBeam } from '../scene/brute-force.js';
import { geometryOfProfile, type Profile, sceneOf } from '../scene/measured-scene.js';
import { randomNumbers, randomScene } from '../scene/random-scene.js';

type Path = NonNullable<NonNullable<SceneFile['scanner']>['path']>;

const profiles: readonly Profile[] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11];

/** Returns what a beam meets, found by checking all walls and circles, each from the pose of the scanner in its own axes. */
function hitByForce(
  scene: Scene,
  actors: readonly PathFollower[],
  geometry: ScanGeometry,
  scanner: Pose,
  beam: number,
  time: number,
  margin: number,
): Hit | undefined {
  const hits = [hitOfBeam(scene, geometry, scanner, beam, margin)];
  const pose = { x: 0, y: 0, heading: 0 };
  for (const [index, actor] of scene.actors.entries()) {
    actors[index]?.pose(time, pose);
    const cosine = Math.cos(pose.heading);
    const sine = Math.sin(pose.heading);
    const [awayX, awayY] = [scanner.x - pose.x, scanner.y - pose.y];
    const seen = {
      x: cosine * awayX + sine * awayY,
      y: cosine * awayY - sine * awayX,
      heading: scanner.heading - pose.heading,
    };
    hits.push(hitOfBeam(actor, geometry, seen, beam, margin));
  }
  return hits.filter((hit) => hit !== undefined).sort((a, b) => a.distance - b.distance)[0];
}

/**
 * Returns the beams whose hit differs from brute force in scans of a scene, with the number of hits. On the end of a wall,
 * both hits are correct.
 */
function differing(file: SceneFile, geometry: ScanGeometry, times: readonly number[]) {
  const scene = sceneOf(file);
  const bodies = new SceneBodies(scene);
  const caster = new RayCaster(geometry);
  const mount = new ScannerMount(scene.scanner);
  const actors = scene.actors.map(({ path }) => new PathFollower(path));
  const wrong: object[] = [];
  let met = 0;
  for (const begin of times) {
    const { nearness, cosine } = caster.cast(bodies, mount, begin).nearest;
    const pose = { x: 0, y: 0, heading: 0 };
    for (let beam = 0; beam < geometry.beams; beam++) {
      const time = begin + (beam * beamInterval(geometry)) / 1_000_000;
      mount.pose(time, pose);
      const distance = 1 / (nearness[beam] ?? 0);
      const fits = [1e-7, -1e-7].some((margin) => {
        const expected = hitByForce(scene, actors, geometry, pose, beam, time, margin);
        if (expected === undefined) return nearness[beam] === 0;
        met += 0.5;
        const tolerance = 1e-8 * (1 + expected.distance / expected.cosine);
        return (
          Math.abs(distance - expected.distance) < tolerance &&
          Math.abs((cosine[beam] ?? 0) - expected.cosine) < 1e-4
        );
      });
      if (!fits) wrong.push({ begin, beam, distance });
    }
  }
  return { wrong, met };
}

/** A random way at up to 4 m/s and ±720°/s, with waypoints 10 ms to 0.5 s apart: some scans have several. */
function randomPath(random: () => number, repeat: Path['repeat']): Path {
  const waypoints: { t: number; x: number; y: number; heading?: number }[] = [];
  let [t, x, y, heading] = [0, (random() - 0.5) * 20, (random() - 0.5) * 15, random() * 360];
  const turns = random() < 0.8;
  for (let waypoint = 0; waypoint < 12; waypoint++) {
    waypoints.push(turns ? { t, x, y, heading } : { t, x, y });
    const span = 0.01 + random() * random() * 0.5;
    const way = random() < 0.15 ? 0 : 4 * random() * span;
    const direction = random() * 2 * Math.PI;
    t += span;
    x += way * Math.cos(direction);
    y += way * Math.sin(direction);
    heading += Math.max(-179, Math.min(179, (random() - 0.5) * 1440 * span));
  }
  return { waypoints, repeat };
}

function randomMotion(seed: number, walls: number, circles: number, raster = 0): SceneFile {
  const random = randomNumbers(5000 + seed);
  const repeats = ['stop', 'loop', 'back-and-forth'] as const;
  const repeat = () => repeats[Math.floor(random() * 3)] ?? 'stop';
  const onVehicle = random() < 0.5;
  const actors = Array.from({ length: 4 }, () => ({
    walls: [
      { from: [-0.5, -0.4] as const, to: [0.6, -0.4] as const },
      { from: [0.6, -0.4] as const, to: [0.3, 0.5] as const },
      { from: [3, 0.5] as const, to: [-0.5, -0.4] as const },
    ],
    circles: [{ center: [0.2, 1] as const, radius: 0.3 }],
    path: randomPath(random, repeat()),
  }));
  return {
    ...randomScene(seed, walls, circles, raster),
    actors,
    scanner: {
      x: onVehicle ? 0.8 : 0,
      y: onVehicle ? -0.3 : 0,
      heading: onVehicle ? 40 : 0,
      path: randomPath(random, repeat()),
    },
  };
}

const times = [0, 0.11, 0.5, 0.77, 1.3, 2.91, 60.123];

describe('beams of a scanner that moves among actors that move', () => {
  it.each(profiles)('meet what brute force finds beam by beam, with profile %i', (profile) => {
    let met = 0;
    for (let seed = 0; seed < 4; seed++) {
      const file = randomMotion(100 * profile + seed, 30 + 40 * (seed % 3), seed * 2);
      const result = differing(file, geometryOfProfile(profile), times);
      expect(result.wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
      met += result.met;
    }
    expect(met).toBeGreaterThan(1000);
  });

  it('meet what brute force finds if the scanner drives through walls and along them', () => {
    for (let seed = 0; seed < 30; seed++) {
      const file = randomMotion(seed, 200, 10, 0.5);
      const result = differing(file, geometryOfProfile(8), times);
      expect(result.wrong.slice(0, 5), `seed ${seed}`).toEqual([]);
    }
  });
});
