import { geometryOf, Scan } from '@azimuth/device';
import { performanceProfiles, SensitivityMode } from '@azimuth/model';
import {
  parseScene,
  RayCaster,
  ScannerMount,
  SceneBodies,
  SceneMeasurement,
} from '@azimuth/simulation/world';
import type { Task } from '../microbenchmark.js';
import { BruteForce } from './brute-force.js';
import { type Pose, poses, sceneOf } from './scene.js';

export const caster = 'azimuth';
export const bruteForce = 'brute force';
export const completeScan = 'azimuth, with noise and echoes';

export const drivingScan = 'azimuth, with noise and echoes, driving';

/** Profile 8: 50 Hz, 0.25°, 1105 beams. */
export const profile = 8;

/** A way to and fro near the middle of the scene. */
export const drive = {
  waypoints: [
    { t: 0, x: -1, y: -1 },
    { t: 4, x: 1, y: 1 },
  ],
  repeat: 'back-and-forth',
  phase: 0,
} as const;

/** Relative difference that rounding can cause. */
const tolerance = 1e-9;

/**
 * Casting a scan of a scene by sweep and by brute force, and measuring a whole scan with noise and echoes.
 * @throws Error if the two results differ.
 */
export function raycastTasks(lines: number): Task[] {
  const geometry = geometryOf(performanceProfiles[profile]);
  const scene = parseScene(sceneOf(lines), 'scene');
  const condition = `${lines} lines`;
  const bodies = new SceneBodies(scene);
  const cast = new RayCaster(geometry);
  const brute = new BruteForce(
    geometry,
    Float64Array.from(scene.walls.flatMap(({ from, to }) => [...from, ...to])),
  );
  for (const pose of poses) {
    const { nearest } = cast.cast(bodies, standingAt(pose), 0);
    brute.cast(pose);
    agree(nearest.nearness, brute.nearness);
    agree(nearest.cosine, brute.cosine);
  }
  const order = { geometry, sensitivity: SensitivityMode.STANDARD, longRange: false };
  const measurement = new SceneMeasurement(scene, 1, order);
  const scan = new Scan(geometry);
  const driving = new SceneMeasurement({ ...scene, scanner: { ...scene.scanner, path: drive } }, 1, order);
  const passed = new Scan(geometry);
  let turn = 0;
  const nextTurn = () => turn++ % poses.length;
  const mounts = poses.map(standingAt);
  return [
    {
      subject: caster,
      condition,
      call: () => {
        const mount = mounts[nextTurn()];
        return mount === undefined ? 0 : (cast.cast(bodies, mount, 0).nearest.nearness[0] ?? 0);
      },
    },
    {
      subject: bruteForce,
      condition,
      call: () => {
        brute.cast(poses[nextTurn()] ?? { x: 0, y: 0, heading: 0 });
        return brute.nearness[0] ?? 0;
      },
    },
    {
      subject: completeScan,
      condition,
      call: () => {
        scan.number += 1;
        measurement.measure(scan);
        return scan.distance[0] ?? 0;
      },
    },
    {
      subject: drivingScan,
      condition,
      call: () => {
        passed.number += 1;
        passed.time += 1_000_000 / geometry.frequency;
        driving.measure(passed);
        return passed.distance[0] ?? 0;
      },
    },
  ];
}

/** A scanner that stands. */
function standingAt({ x, y, heading }: Pose): ScannerMount {
  return new ScannerMount({ x, y, heading: (heading * 180) / Math.PI });
}

/** @throws Error if they differ by more than rounding. */
export function agree(one: Float64Array, other: Float64Array): void {
  for (let beam = 0; beam < one.length; beam++) {
    const [a, b] = [one[beam] ?? 0, other[beam] ?? 0];
    if (Math.abs(a - b) > tolerance * Math.max(a, b)) throw new Error(`beam ${beam}: ${a} is not ${b}`);
  }
}
