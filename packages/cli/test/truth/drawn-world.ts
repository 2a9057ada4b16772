import { readyScene, type Scene } from '@azimuth/simulation/world';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import type { DriverScan } from '../../src/truth/judgement.js';
import type { Placement, PointFrame } from '../../src/truth/placement.js';
import { compose, PoseTrack, relative } from '../../src/truth/pose-track.js';
import { type Pose, type TrueBeam, TrueScan } from '../../src/truth/true-scan.js';

/** A motion: the pose at a time in s. */
export type Motion = (time: number) => Pose;

export const standing: Motion = () => ({ x: 0, y: 0, heading: 0 });

/** Curves at a changing speed: up to 2 m/s and 90°/s. */
export const driving: Motion = (time) => ({
  x: 0.8 * Math.sin(1.6 * time),
  y: 0.35 * Math.sin(2.3 * time + 1),
  heading: 0.9 * Math.sin(1.7 * time),
});

interface Line {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly object: string;
  readonly isGlass: boolean;
}

interface Circle {
  readonly center: readonly [number, number];
  readonly radius: number;
  readonly object: string;
}

interface Drawn {
  readonly lines: readonly Line[];
  readonly circles: readonly Circle[];
}

const radPerDegree = Math.PI / 180;

type Bodies = Pick<Scene, 'walls' | 'polylines' | 'polygons' | 'boxes' | 'circles'>;

function drawn(bodies: Bodies, place: string): Drawn {
  const isGlass = (material: string) => material === 'glass';
  const chain = (
    points: readonly (readonly [number, number])[],
    object: string,
    material: string,
    closed: boolean,
  ) =>
    points.flatMap((from, at) => {
      const to = points[at + 1] ?? (closed ? points[0] : undefined);
      return to === undefined ? [] : [{ from, to, object, isGlass: isGlass(material) }];
    });
  return {
    lines: [
      ...bodies.walls.map(({ from, to, material }, at) => ({
        ...{ from, to, object: `${place}walls[${at}]`, isGlass: isGlass(material) },
      })),
      ...bodies.polylines.flatMap(({ points, material }, at) =>
        chain(points, `${place}polylines[${at}]`, material, false),
      ),
      ...bodies.polygons.flatMap(({ points, material }, at) =>
        chain(points, `${place}polygons[${at}]`, material, true),
      ),
      ...bodies.boxes.flatMap(({ center: [x, y], size: [length, width], heading, material }, at) => {
        const [cosine, sine] = [Math.cos(heading * radPerDegree), Math.sin(heading * radPerDegree)];
        const corners = (
          [
            [1, 1],
            [-1, 1],
            [-1, -1],
            [1, -1],
          ] as const
        ).map(
          ([along, across]) =>
            [
              x + (cosine * along * length - sine * across * width) / 2,
              y + (sine * along * length + cosine * across * width) / 2,
            ] as const,
        );
        return chain(corners, `${place}boxes[${at}]`, material, true);
      }),
    ],
    circles: bodies.circles.map(({ center, radius }, at) => ({
      center,
      radius,
      object: `${place}circles[${at}]`,
    })),
  };
}

/** Two legs that stand side by side. */
function withLegs(body: Drawn, { legs }: Scene['actors'][number], object: string): Drawn {
  if (legs === undefined) return body;
  const { apart, radius } = legs;
  const circles = [0.5, -0.5].map((side) => ({ center: [0, side * apart] as const, radius, object }));
  return { ...body, circles: [...body.circles, ...circles] };
}

interface World {
  readonly scene: Scene;
  readonly still: Drawn;
  readonly actors: readonly Drawn[];
}

const worlds = new Map<string, World>();

function worldOf(name: Parameters<typeof readyScene>[0]): World {
  const known = worlds.get(name);
  if (known !== undefined) return known;
  const scene = readyScene(name);
  const world = {
    scene,
    still: drawn(scene, ''),
    actors: scene.actors.map((actor, at) =>
      withLegs(drawn(actor, `actors[${at}].`), actor, `actors[${at}].legs`),
    ),
  };
  worlds.set(name, world);
  return world;
}

/** Where an actor is: straight from waypoint to waypoint, over and over. */
function actorPose({ path: { waypoints, phase } }: Scene['actors'][number], time: number): Pose {
  const begin = waypoints[0]?.t ?? 0;
  const last = (waypoints.at(-1)?.t ?? 0) - begin;
  const on = begin + (last > 0 ? (time + phase) % last : 0);
  const next = waypoints.findIndex(({ t }) => t > on);
  const to = waypoints[next] ?? waypoints.at(-1);
  const from = waypoints[next - 1] ?? to;
  if (from === undefined || to === undefined) return { x: 0, y: 0, heading: 0 };
  const part = to.t > from.t ? (on - from.t) / (to.t - from.t) : 0;
  return {
    x: from.x + part * (to.x - from.x),
    y: from.y + part * (to.y - from.y),
    heading: Math.atan2(to.y - from.y, to.x - from.x),
  };
}

interface Hit {
  readonly range: number;
  readonly object: string;
}

/** What a ray meets, in the order of the distance. */
function hits({ lines, circles }: Drawn, ray: Pose, found: (Hit & { readonly isGlass: boolean })[]): void {
  const [dx, dy] = [Math.cos(ray.heading), Math.sin(ray.heading)];
  for (const { from, to, object, isGlass } of lines) {
    const [ex, ey] = [to[0] - from[0], to[1] - from[1]];
    const across = dx * ey - dy * ex;
    if (Math.abs(across) < 1e-12) continue;
    const [ox, oy] = [from[0] - ray.x, from[1] - ray.y];
    const range = (ox * ey - oy * ex) / across;
    const along = (ox * dy - oy * dx) / across;
    if (range > 0.01 && along >= 0 && along <= 1) found.push({ range, object, isGlass });
  }
  for (const { center, radius, object } of circles) {
    const [ox, oy] = [center[0] - ray.x, center[1] - ray.y];
    const middle = ox * dx + oy * dy;
    const under = radius ** 2 - (ox ** 2 + oy ** 2 - middle ** 2);
    if (under >= 0 && middle - Math.sqrt(under) > 0.01)
      found.push({ range: middle - Math.sqrt(under), object, isGlass: false });
  }
}

/** s of a revolution, beams of a scan, and degrees of its first and last beam. */
export const profile = { period: 0.05, beams: 553, first: -138, last: 138 } as const;

const knownScans = new Map<Motion, Map<string, TrueScan>>();

/** What the beams of a scan meet that begins at number × period. Each is computed once. */
function trueScan(name: Parameters<typeof readyScene>[0], number: number, motion: Motion): TrueScan {
  const ofMotion = knownScans.get(motion) ?? new Map<string, TrueScan>();
  knownScans.set(motion, ofMotion);
  const known = ofMotion.get(`${name} ${number}`) ?? castScan(name, number, motion);
  ofMotion.set(`${name} ${number}`, known);
  return known;
}

function castScan(name: Parameters<typeof readyScene>[0], number: number, motion: Motion): TrueScan {
  const { still, actors, scene } = worldOf(name);
  const { period, beams, first, last } = profile;
  const step = (last - first) / (beams - 1);
  const own: Pose = { x: 0, y: 0, heading: 0 };
  const made = Array.from({ length: beams }, (_, beam): TrueBeam => {
    const time = number * period + ((beam * step) / 360) * period;
    const pose = motion(time);
    const ray = { ...pose, heading: pose.heading + (first + beam * step) * radPerDegree };
    const found: (Hit & { readonly isGlass: boolean })[] = [];
    hits(still, ray, found);
    for (const [at, actor] of actors.entries()) {
      const actorScene = scene.actors[at];
      if (actorScene === undefined) continue;
      relative(actorPose(actorScene, time), ray, own);
      hits(actor, own, found);
    }
    found.sort((one, other) => one.range - other.range);
    const end = found.find(({ isGlass }) => !isGlass);
    const glass = found.filter(
      ({ isGlass, range }) => isGlass && range < (end?.range ?? Number.POSITIVE_INFINITY),
    );
    return {
      time: Math.round(time * 1e6),
      pose,
      range: end?.range,
      object: end?.object ?? '',
      glass: glass.map(({ range }) => range),
      fog: false,
    };
  });
  return new TrueScan(number, made, { first: first * radPerDegree, last: last * radPerDegree });
}

/** A fault of a driver: a placement that is not the right one, and what else it does. */
export interface DriverFault {
  readonly placement?: Partial<Placement>;
  /** Echo of beams through glass: the first by default. */
  readonly lastEcho?: boolean;
  /** Points of a scan, changed. */
  readonly change?: (points: DriverPoint[], number: number) => DriverPoint[];
  /** µs of a point. */
  readonly time?: (time: number, truth: TrueScan) => number;
}

export interface DriverPoint {
  x: number;
  y: number;
  time: number;
  echo: number;
}

/** The scans of a driver. */
export function driverScans(
  name: Parameters<typeof readyScene>[0],
  {
    motion,
    frame,
    fault = {},
    numbers,
  }: {
    readonly motion: Motion;
    readonly frame: PointFrame;
    readonly fault?: DriverFault;
    readonly numbers: readonly number[];
  },
): readonly DriverScan[] {
  const random = new SeededRandom(name);
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
  const scans = new Map<number, TrueScan>();
  const scan = (number: number): TrueScan => {
    const known = scans.get(number) ?? trueScan(name, number, motion);
    scans.set(number, known);
    return known;
  };
  for (const number of numbers) for (let lag = 0; lag <= 3; lag++) scan(number - lag);
  return numbers.map((number) => {
    const truth = scan(number);
    const earlier = [0, 1, 2, 3].map((lag) => scan(number - lag));
    const track = new PoseTrack(scans.values());
    const points = placedPoints(truth, track, { frame, fault, earlier, normal });
    const changed = fault.change?.(points, number) ?? points;
    const column = (of: (point: DriverPoint) => number) => Float64Array.from(changed, of);
    return {
      truth,
      earlier,
      x: column(({ x }) => x),
      y: column(({ y }) => y),
      time: column(({ time }) => time),
      echoes: column(({ echo }) => echo),
    };
  });
}

/** Places what was measured as a driver would: each beam at its pose. It is not made of the code under test. */
function placedPoints(
  truth: TrueScan,
  track: PoseTrack,
  {
    frame,
    fault,
    earlier,
    normal,
  }: {
    readonly frame: PointFrame;
    readonly fault: DriverFault;
    readonly earlier: readonly TrueScan[];
    readonly normal: () => number;
  },
): DriverPoint[] {
  const placement = fault.placement ?? {};
  const {
    deskewing = { way: 1, turn: 1 },
    delay = 0,
    mirrored = false,
    turn = 0,
    scale = 1,
    offset = 0,
  } = placement;
  const measured = earlier[placement.lag ?? 0] ?? truth;
  const posed = placement.lagsPoses === true ? measured : truth;
  const reference = { x: 0, y: 0, heading: 0 };
  const anchor = { x: 0, y: 0, heading: 0 };
  if (frame === 'begin') track.pose(posed.begin, reference);
  if (frame === 'end') track.pose(posed.end, reference);
  track.pose((frame === 'end' ? posed.end : posed.begin) + delay, anchor);
  return measured.beams.flatMap(({ range: end, glass }, beam) => {
    const range = fault.lastEcho === true ? (end ?? glass.at(-1)) : (glass[0] ?? end);
    if (range === undefined || range > 50) return [];
    const noisy = (range + 0.007 * normal()) * scale + offset;
    const angle = measured.angleAt(beam) + turn;
    const point = { x: noisy * Math.cos(angle), y: noisy * Math.sin(angle), heading: 0 };
    if (mirrored) point.y = -point.y;
    point.x += placement.x ?? 0;
    point.y += placement.y ?? 0;
    if (frame !== 'scanner') {
      const pose = { x: 0, y: 0, heading: 0 };
      track.pose(posed.timeAt(beam) + delay, pose);
      relative(anchor, pose, pose);
      if (deskewing.way === -1 && deskewing.turn === -1) relative(pose, { x: 0, y: 0, heading: 0 }, pose);
      else {
        pose.x *= deskewing.way;
        pose.y *= deskewing.way;
        pose.heading *= deskewing.turn;
      }
      compose(anchor, pose, pose);
      compose(pose, point, point);
      relative(reference, point, point);
    }
    const time = Math.round(measured.timeAt(beam));
    return [{ x: point.x, y: point.y, time: fault.time?.(time, truth) ?? time, echo: Number.NaN }];
  });
}
