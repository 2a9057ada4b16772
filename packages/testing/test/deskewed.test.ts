import { readFileSync } from 'node:fs';
import { decodeTelegram, FrameAssembly } from '@azimuth/client';
import type { ScanTruth, SceneFile } from '@azimuth/simulation/world';
import { expect, onTestFinished, test } from 'vitest';
import { startScanner } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

type Bodies = Pick<SceneFile, 'walls' | 'polylines' | 'polygons' | 'boxes' | 'circles'>;
type Path = NonNullable<SceneFile['actors']>[number]['path'];
type Point = readonly [number, number];

/** m/s to the left of where the scanner looks at first, and rad/s. */
const speed = 2;
const turn = Math.PI / 2;
/** mm. Telegrams count whole mm, so 0.5 mm of this is rounding. */
const tolerance = 1;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const rotated = ([x, y]: Point, angle: number): Point => [
  x * Math.cos(angle) - y * Math.sin(angle),
  x * Math.sin(angle) + y * Math.cos(angle),
];
const plus = (one: Point, other: Point): Point => [one[0] + other[0], one[1] + other[1]];
const minus = (one: Point, other: Point): Point => [one[0] - other[0], one[1] - other[1]];
const millimetres = ([x, y]: Point) => 1000 * Math.hypot(x, y);

/** A ready scene without noise, from a scanner that drives and turns in it, and its place at a time (s of the world). */
function drivingIn(name: string) {
  const file = new URL(`../../simulation/scenes/${name}.json`, import.meta.url);
  const scene: SceneFile = JSON.parse(readFileSync(file, 'utf8'));
  const { x = 0, y = 0, heading = 0 } = scene.scanner ?? {};
  const place = (time: number) => ({
    position: plus([x, y], rotated([0, speed * time], radians(heading))),
    heading: radians(heading) + turn * time,
  });
  const waypoints = [0, 1.6].map((t) => {
    const { position, heading: direction } = place(t);
    return { t, x: position[0], y: position[1], heading: (direction * 180) / Math.PI };
  });
  return { scene: { ...scene, noise: { enabled: false }, scanner: { path: { waypoints } } }, place };
}

/** Place, direction and way of an actor on its path: straight from waypoint to waypoint. */
function placeOn({ waypoints, repeat = 'stop', phase = 0 }: Path, time: number) {
  const [first] = waypoints;
  const last = waypoints.at(-1);
  if (first === undefined || last === undefined) throw new TypeError('no waypoint');
  const duration = last.t - first.t;
  const since = Math.max(0, time + phase - first.t);
  const lap = repeat === 'stop' ? Math.min(since, duration) : since % duration;
  const isBack = repeat === 'back-and-forth' && since % (2 * duration) >= duration;
  const at = first.t + (isBack ? duration - lap : lap);
  let way = 0;
  for (const [index, from] of waypoints.entries()) {
    const to = waypoints[index + 1];
    if (to === undefined) break;
    const leg: Point = [to.x - from.x, to.y - from.y];
    if (at <= to.t) {
      const part = Math.max(0, at - from.t) / (to.t - from.t);
      const gone = millimetres(leg) / 1000;
      const before = waypoints.slice(0, index + 1).findLast((one, at) => {
        const next = waypoints[at + 1];
        return next !== undefined && (next.x !== one.x || next.y !== one.y);
      });
      const after = before && waypoints[waypoints.indexOf(before) + 1];
      const direction = before && after ? Math.atan2(after.y - before.y, after.x - before.x) : undefined;
      return {
        position: [from.x + part * leg[0], from.y + part * leg[1]] as const,
        heading: direction === undefined ? undefined : direction + (isBack ? Math.PI : 0),
        way: way + part * gone,
      };
    }
    way += millimetres(leg) / 1000;
  }
  return { position: [last.x, last.y] as const, heading: undefined, way };
}

function fromLine([x, y]: Point, a: Point, b: Point): number {
  const [ex, ey] = minus(b, a);
  const part = Math.min(1, Math.max(0, ((x - a[0]) * ex + (y - a[1]) * ey) / (ex * ex + ey * ey)));
  return millimetres(minus([x, y], [a[0] + part * ex, a[1] + part * ey]));
}

function fromChain(point: Point, corners: readonly Point[]): number {
  return Math.min(...corners.slice(1).map((to, index) => fromLine(point, corners[index] ?? to, to)));
}

/** Distance (mm) of a point from a shape: `boxes[2]`. */
function fromShape(point: Point, shape: string, bodies: Bodies): number {
  const [, kind = '', index = ''] = /^(\w+)\[(\d+)\]$/.exec(shape) ?? [];
  const at = Number(index);
  const wall = bodies.walls?.[at];
  const polygon = bodies.polygons?.[at];
  const polyline = bodies.polylines?.[at];
  const box = bodies.boxes?.[at];
  const circle = bodies.circles?.[at];
  if (kind === 'walls' && wall) return fromLine(point, wall.from, wall.to);
  if (kind === 'polylines' && polyline) return fromChain(point, polyline.points);
  if (kind === 'polygons' && polygon)
    return fromChain(point, [...polygon.points, ...polygon.points.slice(0, 1)]);
  if (kind === 'circles' && circle)
    return Math.abs(millimetres(minus(point, circle.center)) - 1000 * circle.radius);
  if (kind === 'boxes' && box) {
    const own = rotated(minus(point, box.center), -radians(box.heading ?? 0));
    const [ahead, left] = [box.size[0] / 2, box.size[1] / 2];
    const corners: Point[] = [
      [ahead, left],
      [-ahead, left],
      [-ahead, -left],
      [ahead, -left],
      [ahead, left],
    ];
    return fromChain(own, corners);
  }
  throw new TypeError(`no shape ${shape}`);
}

/** Distance (mm) of a point from an object of a scene: `walls[3]`, `actors[0].circles[1]`, `actors[0].legs`. */
function fromObject(point: Point, object: string, scene: SceneFile, time: number): number {
  const [, index, part = ''] = /^actors\[(\d+)\]\.(.*)$/.exec(object) ?? [];
  const actor = scene.actors?.[Number(index)];
  if (actor === undefined) return fromShape(point, object, scene);
  const { position, heading, way } = placeOn(actor.path, time);
  if (heading === undefined) throw new TypeError('an actor that has not moved yet');
  const own = rotated(minus(point, position), -heading);
  if (part !== 'legs') return fromShape(own, part, actor);
  const { radius = 0.07, apart = 0.2, stride = 0.7 } = actor.legs ?? {};
  const ahead = (stride / 2) * Math.sin((Math.PI * way) / stride);
  const legs: Point[] = [
    [ahead, apart / 2],
    [-ahead, -apart / 2],
  ];
  return Math.min(...legs.map((leg) => Math.abs(millimetres(minus(own, leg)) - 1000 * radius)));
}

interface MeasuredPoint {
  /** m, in the axes of the scanner. */
  readonly point: Point;
  readonly beam: ScanTruth['beams'][number];
  /** s of the world, of the beam and of the first beam of its scan. */
  readonly time: number;
  readonly begin: number;
}

/** Scans a scene and returns the first echoes that decoded telegrams state, except behind glass and in fog. */
async function measuredIn(scene: SceneFile): Promise<readonly MeasuredPoint[]> {
  const scanner = await startScanner({ scene });
  onTestFinished(() => scanner.close());
  const { received, destination } = await datagramDriver();
  await scanner.write('PerformanceProfileNumber', 4);
  await scanner.write('ScanDataFormat', 2);
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(1200);
  const assembly = new FrameAssembly();
  const points: MeasuredPoint[] = [];
  for (const datagram of received) {
    const decoded = decodeTelegram(datagram);
    if (decoded.kind !== 'scan') continue;
    for (const frame of assembly.push(decoded.telegram, 'scanner')) {
      const { beams, worldTime, time } = await scanner.truth({ scan: frame.number });
      for (const [index, beam] of beams.entries()) {
        const distance = (frame.distance[frame.echoes * index] ?? 0) / 1000;
        if (distance === 0 || beam.glass.length > 0 || beam.fog) continue;
        const point = rotated([distance, 0], radians(beam.angle));
        points.push({ point, beam, begin: worldTime, time: worldTime + (beam.time - time) / 1_000_000 });
      }
    }
  }
  return points;
}

test.each(['empty-room', 'warehouse-aisle', 'conveyor', 'gate', 'vehicle-profile'])(
  'in %s, points that are deskewed with the poses of the truth lie on their surfaces, others are off as computed',
  async (name) => {
    const { scene, place } = drivingIn(name);
    const points = await measuredIn(scene);
    expect(points.length).toBeGreaterThan(5000);
    let worst = 0;
    let mostOff = 0;
    for (const { point, beam, time, begin } of points) {
      const { pose, surface } = beam;
      const deskewed = plus(rotated(point, radians(pose.heading)), [pose.x, pose.y]);
      worst = Math.max(worst, fromObject(deskewed, surface?.object ?? '', scene, time));
      // A point that is placed by the pose of the first beam, less its place by the pose of its own beam.
      const [first, own] = [place(begin), place(time)];
      const skewed = plus(rotated(point, first.heading), first.position);
      const computed = minus(
        plus(rotated(point, first.heading), first.position),
        plus(rotated(point, own.heading), own.position),
      );
      mostOff = Math.max(mostOff, millimetres(computed));
      expect(millimetres(minus(minus(skewed, deskewed), computed))).toBeLessThan(tolerance);
    }
    expect(worst).toBeLessThan(tolerance);
    expect(mostOff).toBeGreaterThan(200);
  },
);

test('the same seed gives the same bytes', async () => {
  const { scene } = drivingIn('gate');
  const datagrams = async () => {
    const scanner = await startScanner({ scene: { ...scene, noise: {} }, seed: 5 });
    onTestFinished(() => scanner.close());
    const { received, destination } = await datagramDriver();
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(500);
    return Buffer.concat(received).toString('base64');
  };
  const first = await datagrams();
  expect(first.length).toBeGreaterThan(1000);
  expect(await datagrams()).toBe(first);
});
