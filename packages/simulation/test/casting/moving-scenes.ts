import type { ScanGeometry } from '@azimuth/device';
import { beamInterval } from '@azimuth/device/cores';
import { crossingsPerBeam } from '../../src/casting/ray-caster.js';
import { PathFollower } from '../../src/motion/path.js';
import type { Pose } from '../../src/motion/pose.js';
import { RayCaster, ScannerMount, type Scene, SceneBodies, type SceneFile } from '../../src/world/index.js';
import { crossingsOfBeam, type Hit, hitOfBeam } from '../scene/brute-force.js';
import { type Profile, sceneOf } from '../scene/measured-scene.js';
import { randomNumbers, randomScene } from '../scene/random-scene.js';

type Path = NonNullable<NonNullable<SceneFile['scanner']>['path']>;

export const profiles: readonly Profile[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

type Shapes = Pick<Scene, 'walls' | 'circles'>;

/** Shapes that stand, and others that move, each with where it is at a time. */
interface MovingShapes {
  readonly standing: Shapes;
  readonly moving: readonly { readonly shapes: (time: number) => Shapes; readonly way: PathFollower }[];
}

/** The walls and circles of a scene; the legs of its actors are circles. */
function opaqueShapes(scene: Scene): MovingShapes {
  const moving = scene.actors.map((actor) => {
    const way = new PathFollower(actor.path);
    return { way, shapes: (time: number) => withLegs(actor, way.travelled(time)) };
  });
  return { standing: scene, moving };
}

function withLegs({ walls, circles, legs }: Scene['actors'][number], travelled: number): Shapes {
  if (legs === undefined) return { walls, circles };
  const { stride, apart, radius, material } = legs;
  const ahead = (stride / 2) * Math.sin((Math.PI * travelled) / stride);
  const feet = [1, -1].map((side) => ({
    center: [side * ahead, (side * apart) / 2] as const,
    radius,
    material,
  }));
  return { walls, circles: [...circles, ...feet] };
}

/** Returns the shapes with the pose of the scanner in their own axes, at a time. */
function seenAt(
  { standing, moving }: MovingShapes,
  scanner: Pose,
  time: number,
): { shapes: Shapes; seen: Pose }[] {
  const pose = { x: 0, y: 0, heading: 0 };
  const moved = moving.map(({ shapes, way }) => {
    way.pose(time, pose);
    return { shapes: shapes(time), seen: inAxesOf(pose, scanner) };
  });
  return [{ shapes: standing, seen: scanner }, ...moved];
}

function inAxesOf(body: Pose, { x, y, heading }: Pose): Pose {
  const cosine = Math.cos(body.heading);
  const sine = Math.sin(body.heading);
  const [awayX, awayY] = [x - body.x, y - body.y];
  return {
    x: cosine * awayX + sine * awayY,
    y: cosine * awayY - sine * awayX,
    heading: heading - body.heading,
  };
}

/** Returns what a beam meets, found by checking all walls and circles, each from the pose of the scanner in its own axes. */
function hitByForce(
  all: MovingShapes,
  geometry: ScanGeometry,
  scanner: Pose,
  beam: number,
  time: number,
  margin: number,
): Hit | undefined {
  const hits = seenAt(all, scanner, time).map(({ shapes, seen }) =>
    hitOfBeam(shapes, geometry, seen, beam, margin),
  );
  return hits.filter((hit) => hit !== undefined).sort((a, b) => a.distance - b.distance)[0];
}

/**
 * Returns the beams whose hit differs from brute force in scans of a scene, with the number of hits. On the end of a wall,
 * both hits are correct.
 */
export function differing(file: SceneFile, geometry: ScanGeometry, times: readonly number[]) {
  const scene = sceneOf(file);
  const bodies = new SceneBodies(scene);
  const caster = new RayCaster(geometry);
  const mount = new ScannerMount(scene.scanner);
  const shapes = opaqueShapes(scene);
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
        const expected = hitByForce(shapes, geometry, pose, beam, time, margin);
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

export function randomMotion(seed: number, walls: number, circles: number, raster = 0): SceneFile {
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

/** Walking legs on random ways, about a scanner that moves. */
export function randomWalk(seed: number): SceneFile {
  const random = randomNumbers(7000 + seed);
  const actors = Array.from({ length: 6 }, () => ({
    legs: { stride: 0.3 + random(), apart: 0.1 + random() * 0.4, radius: 0.05 + random() * 0.2 },
    path: randomPath(random, random() < 0.5 ? 'loop' : 'back-and-forth'),
  }));
  return { actors, scanner: { x: 0, y: 0, heading: 0, path: randomPath(random, 'loop') } };
}

/** Glass and fog that stand, and others that move, in the shapes of a scene. */
interface ClearShapes {
  readonly file: SceneFile;
  readonly glass: (scene: Scene) => MovingShapes;
  readonly fog: (scene: Scene) => MovingShapes;
}

function wallsAbout(points: readonly (readonly [number, number])[]): Scene['walls'] {
  return points.map((from, at) => ({ from, to: points[(at + 1) % points.length] ?? from, material: 'grey' }));
}

export function randomClear(seed: number): ClearShapes {
  const random = randomNumbers(9000 + seed);
  const corner = (x: number, y: number, turn: number) =>
    [x + (1 + random()) * Math.cos(turn), y + (1 + random()) * Math.sin(turn)] as const;
  const areas = (count: number, span: number) =>
    Array.from({ length: count }, () => {
      const [x, y] = [(random() - 0.5) * span, (random() - 0.5) * span];
      return { points: [0, 1, 2, 3].map((side) => corner(x, y, side * 1.5)), density: 0.1 };
    });
  const rounds = (count: number) =>
    Array.from({ length: count }, () => ({
      center: [(random() - 0.5) * 20, (random() - 0.5) * 20] as const,
      radius: 0.2 + random(),
    }));
  const panes = randomScene(seed, 20, 6);
  const material = 'glass';
  const standingAreas = areas(4, 20);
  const standingRounds = rounds(3);
  const moving = Array.from({ length: 4 }, () => ({ areas: areas(1, 2), path: randomPath(random, 'loop') }));
  const pane = [
    { from: [-0.7, -0.4] as const, to: [0.6, -0.4] as const, material },
    { from: [0.6, -0.4] as const, to: [2.5, 0.5] as const, material },
  ];
  const bottle = { center: [0.2, 1] as const, radius: 0.3, material };
  const file: SceneFile = {
    walls: panes.walls?.map((wall) => ({ ...wall, material })),
    circles: panes.circles?.map((circle) => ({ ...circle, material })),
    fog: [...standingAreas, ...standingRounds.map((round) => ({ ...round, density: 0.1 }))],
    actors: moving.map(({ areas: fog, path }) => ({ walls: pane, circles: [bottle], fog, path })),
    scanner: { x: 0.5, y: 0.2, heading: 30, path: randomPath(random, 'loop') },
  };
  const ways = (scene: Scene) => scene.actors.map(({ path }) => new PathFollower(path));
  const outlineOf = (fog: ReturnType<typeof areas>) => fog.flatMap(({ points }) => wallsAbout(points));
  return {
    file,
    glass: opaqueShapes,
    fog: (scene) => ({
      standing: {
        walls: outlineOf(standingAreas),
        circles: standingRounds.map((round) => ({ ...round, material })),
      },
      moving: ways(scene).map((way, actor) => ({
        way,
        shapes: () => ({ walls: outlineOf(moving[actor]?.areas ?? []), circles: [] }),
      })),
    }),
  };
}

/** Returns the beams whose crossings differ from brute force, with the number of crossings. */
export function differingCrossings({ file, glass, fog }: ClearShapes, geometry: ScanGeometry) {
  const scene = sceneOf(file);
  const bodies = new SceneBodies(scene);
  const caster = new RayCaster(geometry);
  const mount = new ScannerMount(scene.scanner);
  const [panes, areas] = [glass(scene), fog(scene)];
  const wrong: object[] = [];
  const met = { glass: 0, fog: 0 };
  const pose = { x: 0, y: 0, heading: 0 };
  for (const begin of times) {
    const hits = caster.cast(bodies, mount, begin);
    for (let beam = 0; beam < geometry.beams; beam++) {
      const time = begin + (beam * beamInterval(geometry)) / 1_000_000;
      mount.pose(time, pose);
      for (const kind of ['glass', 'fog'] as const) {
        const crossings = hits[kind];
        const count = crossings.count[beam] ?? 0;
        met[kind] += count;
        const seen = seenAt(kind === 'glass' ? panes : areas, pose, time);
        // At a corner, a beam may cross one line or the other.
        const fits = [1e-7, 0, -1e-7].some((margin) => {
          const expected = seen
            .flatMap(({ shapes, seen: from }) => crossingsOfBeam(shapes, geometry, from, beam, margin))
            .sort((a, b) => a.distance - b.distance)
            .slice(0, crossingsPerBeam);
          return (
            expected.length === count &&
            expected.every(({ distance, cosine, sign }, at) => {
              const place = crossingsPerBeam * beam + at;
              const tolerance = 1e-8 * (1 + distance / cosine);
              return (
                Math.abs((crossings.distance[place] ?? 0) - distance) < tolerance &&
                Math.abs((crossings.cosine[place] ?? 0) - cosine) < 1e-4 &&
                crossings.sign[place] === sign
              );
            })
          );
        });
        if (!fits) wrong.push({ kind, begin, beam, count });
      }
    }
  }
  return { wrong, met };
}

/**
 * A closed room whose corners lie exactly on beams of a scan, at the times of these beams. Either the scanner moves in it,
 * or the room moves about the scanner.
 */
export function roomWithCornersOnBeams(
  seed: number,
  geometry: ScanGeometry,
  begin: number,
  roomMoves: boolean,
): Scene {
  const random = randomNumbers(11_000 + seed);
  const { waypoints } = randomPath(random, 'stop');
  // Without a jump: neither of the place nor of the heading.
  const path = { waypoints: waypoints.map((waypoint) => ({ heading: 0, ...waypoint })) };
  const { x, y, heading } = path.waypoints[0] ?? { x: 0, y: 0 };
  const place = { x, y, heading: heading ?? 0 };
  const empty = sceneOf(
    roomMoves
      ? { actors: [{ circles: [], path }], scanner: place }
      : { scanner: { x: 0, y: 0, heading: 0, path } },
  );
  const mount = new ScannerMount(empty.scanner);
  const ways = empty.actors.map((actor) => new PathFollower(actor.path));
  const [scanner, body] = [
    { x: 0, y: 0, heading: 0 },
    { x: 0, y: 0, heading: 0 },
  ];
  const cornerOn = (beam: number, distance: number) => {
    const time = begin + (beam * beamInterval(geometry)) / 1_000_000;
    mount.pose(time, scanner);
    ways[0]?.pose(time, body);
    const from = inAxesOf(body, scanner);
    const angle = from.heading + ((geometry.firstAngle + beam * geometry.step) * Math.PI) / 180;
    return [from.x + distance * Math.cos(angle), from.y + distance * Math.sin(angle)] as const;
  };
  const corners: (readonly [number, number])[] = [];
  const most = Math.floor(30 / geometry.step);
  for (let beam = 0; beam < geometry.beams; beam += 1 + Math.floor(random() * most))
    corners.push(cornerOn(beam, 20 + 20 * random()));
  // Behind the scanner, where no beam is; and beyond the first and the last beam.
  const round = Math.round(360 / geometry.step);
  for (let beam = geometry.beams + 5; beam < round; beam += Math.ceil(20 / geometry.step))
    corners.push(cornerOn(beam, 30));
  // The ends of two walls at a corner are equal but for rounding.
  const rounded = (metres: number) => metres + (random() - 0.5) * 1e-11;
  const walls = wallsAbout(corners).map((wall) => ({
    ...wall,
    to: [rounded(wall.to[0]), rounded(wall.to[1])] as const,
  }));
  return roomMoves
    ? { ...empty, actors: empty.actors.map((actor) => ({ ...actor, walls })) }
    : { ...empty, walls };
}

/** Times at which scans begin, in s. */
export const times = [0, 0.11, 0.5, 0.77, 1.3, 2.91, 60.123];
