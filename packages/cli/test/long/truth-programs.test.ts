import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyScene, readyScenes, type Scene, type SceneFile } from '@azimuth/simulation/world';
import { type ScanTruth, startScanner, startWorld, type TestScanner } from '@azimuth/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { azimuth } from '../run.js';
import {
  type Beam,
  beamsOf,
  type DriverPose,
  inverse,
  Odometry,
  placed,
  pointOf,
  receivedFrames,
  tableOf,
} from '../truth/received-frames.js';

/** A way with curves: up to 2 m/s and 90°/s. */
const way: NonNullable<NonNullable<SceneFile['scanner']>['path']> = {
  repeat: 'back-and-forth',
  waypoints: [
    { t: 0, x: 0, y: 0, heading: 0 },
    { t: 0.3, x: 0.3, y: 0.1, heading: 20 },
    { t: 0.6, x: 0.9, y: 0.1, heading: -7 },
    { t: 0.9, x: 1.2, y: -0.1, heading: 5 },
    { t: 1.2, x: 0.7, y: 0.1, heading: 30 },
  ],
};

/** A curve at a speed that changes slowly: up to 1 m/s and 60°/s. */
const curve: typeof way = {
  waypoints: [
    { t: 0, x: -1, y: -0.3, heading: 0 },
    { t: 0.6, x: -0.6, y: -0.3, heading: 18 },
    { t: 1.2, x: 0, y: -0.2, heading: 50 },
    { t: 3, x: 1.8, y: 0.4, heading: 158 },
  ],
};

interface Points {
  readonly table: (place: (beam: Beam) => DriverPose) => string;
  readonly truths: readonly ScanTruth[];
  readonly odometry: Odometry;
}

async function measured(
  scanner: TestScanner,
  frames: Awaited<ReturnType<typeof receivedFrames>>[number],
): Promise<Points> {
  const truths: ScanTruth[] = [];
  const [first] = frames;
  for (let number = Math.max(1, (first?.number ?? 1) - 3); number <= (frames.at(-1)?.number ?? 0); number++)
    truths.push(await scanner.truth({ scan: number }));
  const beams = frames.flatMap(beamsOf);
  return {
    truths,
    odometry: new Odometry(truths),
    table: (place) => tableOf(beams.map((beam) => ({ ...beam, ...place(beam) }))),
  };
}

async function judged(scanner: TestScanner, table: string, ...options: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'azimuth-truth-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'points.csv');
  await writeFile(path, table);
  const control = `http://127.0.0.1:${scanner.ports.control}`;
  const { stdout, stderr } = await azimuth(
    'truth',
    '--control',
    control,
    '--points',
    path,
    '--json',
    ...options,
  );
  expect(stderr).toBe('');
  const report: {
    verdict: string;
    frame: string;
    findings: { kind: string; text: string }[];
    range: { median: number };
  } = JSON.parse(stdout);
  return report;
}

const kinds = ({ findings }: { readonly findings: readonly { readonly kind: string; text: string }[] }) =>
  findings.map(({ kind }) => kind);

describe('a deskewer', () => {
  test.each([...readyScenes])('is judged in the scene %s while the vehicle drives', async (name) => {
    const ready: Scene = readyScene(name);
    const scanner = await startScanner({
      scene: { ...ready, scanner: { ...ready.scanner, path: way } } as SceneFile,
      controlPort: true,
    });
    onTestFinished(() => scanner.close());
    await scanner.write('PerformanceProfileNumber', 2);
    const [frames = []] = await receivedFrames([scanner], () => scanner.advance(900));
    const { table, odometry } = await measured(scanner, frames);
    const world = (beam: Beam, time = beam.time) => placed(odometry.at(time), pointOf(beam));
    const begin = (beam: Beam, pose: DriverPose) =>
      placed(placed(inverse(odometry.at(beam.begin)), pose), pointOf(beam));
    const motion = (beam: Beam) => placed(inverse(odometry.at(beam.begin)), odometry.at(beam.time));
    const drivers: Readonly<
      Record<string, readonly [place: (beam: Beam) => DriverPose, options: readonly string[], kind: string]>
    > = {
      'into the world': [(beam) => world(beam), [], ''],
      'into the begin of the scan': [(beam) => placed(motion(beam), pointOf(beam)), [], ''],
      'not at all': [(beam) => pointOf(beam), [], ''],
      'not at all, but should': [(beam) => pointOf(beam), ['--frame', 'begin'], 'not-deskewed'],
      'with one pose of each scan': [(beam) => world(beam, beam.begin), ['--frame', 'world'], 'not-deskewed'],
      'the wrong way round': [
        (beam) => placed(inverse(motion(beam)), pointOf(beam)),
        ['--frame', 'begin'],
        'deskewed-wrongly',
      ],
      'with the time of the last beam': [
        (beam) => world(beam, beam.time + beam.end - beam.begin),
        ['--frame', 'world'],
        'late-poses',
      ],
      'with poses that are 20 ms early': [
        (beam) => begin(beam, odometry.at(beam.time - 20_000)),
        ['--frame', 'begin'],
        'late-poses',
      ],
      'with a wrong lever arm': [
        (beam) => placed(odometry.at(beam.time), { ...pointOf(beam), x: pointOf(beam).x + 0.2 }),
        ['--frame', 'world'],
        'mounting',
      ],
      mirrored: [(beam) => world({ ...beam, angle: -beam.angle }), ['--frame', 'world'], 'mirrored'],
    };
    const found: Record<string, readonly string[]> = {};
    for (const [driver, [place, options]] of Object.entries(drivers))
      found[driver] = kinds(await judged(scanner, table(place), ...options));
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(drivers).map(([driver, [, , kind]]) => [driver, kind === '' ? [] : [kind]]),
      ),
    );
  });
});

/** A hall in which a vehicle with two scanners drives. */
const hall: SceneFile = {
  polygons: [
    {
      points: [
        [-6, -4],
        [7, -4],
        [7, 3],
        [2, 5],
        [-6, 3],
      ],
    },
  ],
  boxes: [{ center: [4, -2], size: [1, 0.6], heading: 20 }],
  circles: [{ center: [-3, 1.5], radius: 0.3 }],
  vehicles: [
    {
      name: 'agv',
      boxes: [{ center: [0, 0], size: [0.8, 0.5] }],
      path: way,
      scanners: [
        { name: 'front', x: 0.45, y: 0.3, heading: 45 },
        { name: 'rear', x: -0.45, y: -0.3, heading: -135 },
      ],
    },
  ],
};

/** Where the scanners are mounted on the vehicle, and how the rear one is in the drivers that are wrong. */
const mounts = {
  front: { x: 0.45, y: 0.3, heading: Math.PI / 4 },
  rear: { x: -0.45, y: -0.3, heading: (-3 * Math.PI) / 4 },
} as const;

test('a merge of two scanners is right, and is wrong with a wrong mount or a late clock of the second one', async () => {
  const world = await startWorld({ world: hall, controlPort: true });
  onTestFinished(() => world.close());
  const [front, rear] = [world.scanner('front'), world.scanner('rear')];
  const [frontFrames = [], rearFrames = []] = await receivedFrames([front, rear], () => world.advance(900));
  const frontPoints = await measured(front, frontFrames);
  const rearPoints = await measured(rear, rearFrames);
  /** The vehicle, as the front scanner tells it; both have the same clock. */
  const vehicle = (time: number) => placed(frontPoints.odometry.at(time), inverse(mounts.front));
  const merged =
    (mount: DriverPose, late = 0) =>
    (beam: Beam) =>
      placed(placed(vehicle(beam.time + late), mount), pointOf(beam));
  const judgedRear = async (place: (beam: Beam) => DriverPose) =>
    kinds(await judged(rear, rearPoints.table(place), '--frame', 'world'));
  expect(kinds(await judged(front, frontPoints.table(merged(mounts.front)), '--frame', 'world'))).toEqual([]);
  expect(await judgedRear(merged(mounts.rear))).toEqual([]);
  expect(await judgedRear(merged({ ...mounts.rear, x: -0.25 }))).toEqual(['mounting']);
  expect(await judgedRear(merged({ ...mounts.rear, heading: mounts.rear.heading + 0.05 }))).toEqual([
    'turned',
  ]);
  expect(await judgedRear(merged(mounts.rear, 25_000))).toEqual(['late-poses']);
  expect(await judgedRear((beam) => placed(placed(vehicle(beam.begin), mounts.rear), pointOf(beam)))).toEqual(
    ['not-deskewed'],
  );
});

/** The lines of the walls that a localisation knows: direction of the normal (rad), and its distance. */
const walls = hall.polygons?.[0]?.points ?? [];

/** Finds the pose at which points of a scan lie on the walls: a few steps of Gauss-Newton from a guess. */
function localised(points: readonly DriverPose[], guess: DriverPose): DriverPose {
  let pose = guess;
  for (let step = 0; step < 12; step++) {
    const sums = [0, 1, 2].map(() => [0, 0, 0, 0]);
    const reach = step < 4 ? 0.5 : 0.06;
    for (const point of points) {
      const { x, y } = placed(pose, point);
      for (const [at, from] of walls.entries()) {
        const to = walls[(at + 1) % walls.length] ?? from;
        const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
        const [nx, ny] = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
        const off = (x - from[0]) * nx + (y - from[1]) * ny;
        const along = ((x - from[0]) * ny - (y - from[1]) * nx) / length;
        if (Math.abs(off) > reach || along < 0.02 || along > 0.98) continue;
        const slopes = [nx, ny, -(y - pose.y) * nx + (x - pose.x) * ny];
        for (const [row, slope] of slopes.entries()) {
          for (const [column, other] of slopes.entries())
            (sums[row] ?? [])[column] = (sums[row]?.[column] ?? 0) + slope * other;
          (sums[row] ?? [])[3] = (sums[row]?.[3] ?? 0) - slope * off;
        }
      }
    }
    for (const [column, pivot] of sums.entries()) {
      for (const row of sums) {
        if (row === pivot) continue;
        const factor = (row[column] ?? 0) / (pivot[column] ?? 1);
        for (const [place, value] of pivot.entries()) row[place] = (row[place] ?? 0) - factor * value;
      }
    }
    const [dx = 0, dy = 0, turn = 0] = sums.map((row, at) => (row[3] ?? 0) / (row[at] ?? 1));
    pose = { x: pose.x + dx, y: pose.y + dy, heading: pose.heading + turn };
  }
  return pose;
}

/** The way in one scan, in the axes of its begin: speed ahead and to the left (m/s), and turn (rad/s). */
function motionFrom(before: DriverPose, after: DriverPose, seconds: number) {
  const { x, y, heading } = placed(inverse(before), after);
  return (passed: number): DriverPose => {
    const part = passed / seconds;
    return { x: x * part, y: y * part, heading: heading * part };
  };
}

test('a localisation is right, and is wrong if it does not deskew, or gives the pose of the scan before', async () => {
  const scanner = await startScanner({
    scene: { polygons: hall.polygons, circles: hall.circles, scanner: { path: curve } },
    controlPort: true,
  });
  onTestFinished(() => scanner.close());
  const [frames = []] = await receivedFrames([scanner], () => scanner.advance(1200));
  const scans = frames.map(beamsOf);
  /** The poses of the begins of all scans, each found in the scan itself. */
  const filtered = (deskews: boolean): readonly DriverPose[] => {
    const poses: DriverPose[] = [];
    let motion = (_: number): DriverPose => ({ x: 0, y: 0, heading: 0 });
    for (const [at, beams] of scans.entries()) {
      const [first] = beams;
      const previous = poses.at(-1) ?? { x: -1, y: -0.3, heading: 0 };
      const seconds = ((first?.begin ?? 0) - (scans[at - 1]?.[0]?.begin ?? 0)) / 1e6;
      let pose = at === 0 ? previous : placed(previous, motion(seconds));
      for (let round = 0; round < 3; round++) {
        const points = beams
          .filter((_, beam) => beam % 3 === 0)
          .map((beam) =>
            deskews ? placed(motion((beam.time - beam.begin) / 1e6), pointOf(beam)) : pointOf(beam),
          );
        pose = localised(points, pose);
        if (at > 0) motion = motionFrom(previous, pose, seconds);
      }
      poses.push(pose);
    }
    return poses;
  };
  const table = (poses: readonly DriverPose[], deskews: boolean, late = 0) =>
    tableOf(
      scans.flatMap((beams, at) => {
        // The first scans are needed until the filter knows how fast it is.
        if (at < 3) return [];
        const [pose, before] = [poses[at - late], poses[at - 1 - late]];
        if (pose === undefined || before === undefined) return [];
        const seconds = ((beams[0]?.begin ?? 0) - (scans[at - 1]?.[0]?.begin ?? 0)) / 1e6;
        const motion = motionFrom(before, pose, seconds);
        return beams.map((beam) => {
          const moved = deskews ? motion((beam.time - beam.begin) / 1e6) : { x: 0, y: 0, heading: 0 };
          return { ...beam, ...placed(placed(pose, moved), pointOf(beam)) };
        });
      }),
    );
  const poses = filtered(true);
  expect(kinds(await judged(scanner, table(poses, true), '--frame', 'world'))).toEqual([]);
  expect(kinds(await judged(scanner, table(poses, false), '--frame', 'world'))).toEqual(['not-deskewed']);
  const stale = await judged(scanner, table(poses, true, 1), '--frame', 'world');
  expect(stale.verdict).toBe('wrong');
  expect(stale.findings.map(({ text }) => text).join()).toMatch(/poses that are .* too early/);
});
