import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyScene, readyScenes, type Scene, type SceneFile } from '@azimuth/simulation/world';
import { type ScanTruth, startScanner, type TestScanner } from '@azimuth/testing';
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
