import { PathFollower, ScannerMount } from '../motion/path.js';
import type { Trajectory } from '../motion/trajectory.js';
import { type Viewpoint, viewpointOf } from '../motion/viewpoint.js';
import { housingsOf } from '../scene/mounted-scanners.js';
import type { Bodies, Legs, Scene } from '../scene/scene-file.js';
import { type BodyOutlines, legOutlines, type Outline, outlinesOf, Surfaces } from '../scene/surfaces.js';

/** A body that moves. */
export interface MovingBody {
  readonly outlines: BodyOutlines;
  readonly trajectory: Trajectory;
  readonly legs: { readonly settings: Legs; readonly outlines: BodyOutlines } | undefined;
  /** No part of it is farther than this from the origin of its coordinates, in m; its legs do not count. */
  readonly radius: number;
}

/** A body that moves with the scanner: its vehicle. */
export interface AttachedBody {
  readonly outlines: BodyOutlines;
  /** Where the scanner stands in the coordinates of the body. */
  readonly place: Trajectory;
}

/** What all scanners in a scene have in common. */
interface StandingBodies {
  readonly surfaces: Surfaces;
  /** Undefined if scanners see the housings of others. */
  readonly standing: BodyOutlines | undefined;
  /** Density per m, by fog area that does not move. */
  readonly densities: readonly number[];
}

/** A fleet may have thousands of scanners in a map of 100,000 lines. They use the same arrays. */
const known = new WeakMap<Scene, StandingBodies>();

function standingIn(scene: Scene): StandingBodies {
  const before = known.get(scene);
  if (before !== undefined) return before;
  const surfaces = new Surfaces(scene);
  const densities: number[] = [];
  const standing = scene.scanners.length === 0 ? outlinesOf(scene, surfaces, densities) : undefined;
  const made = { surfaces, standing, densities };
  known.set(scene, made);
  return made;
}

/**
 * The bodies of a scene, prepared for ray casting: surfaces as arrays of numbers, actors and vehicles with their motions.
 * The vehicle of the scanner is apart: it does not move for the scanner, and so it is cast only once.
 */
export class SceneBodies {
  readonly surfaces: Surfaces;
  /** Density per m, by fog area. */
  readonly densities: readonly number[];
  readonly standing: BodyOutlines;
  readonly moving: readonly MovingBody[];
  /** The vehicle of the scanner, with the other scanners on it. */
  readonly attached: AttachedBody | undefined;

  /** The viewpoint is by default that of the only scanner of the scene. */
  constructor(scene: Scene, { scanner, vehicles }: Viewpoint = viewpointOf(scene)) {
    const { surfaces, standing, densities: ofStanding } = standingIn(scene);
    const densities = [...ofStanding];
    this.surfaces = surfaces;
    const withScanners = (bodies: Bodies & Pick<Scene, 'scanners'>) => {
      const boxes = [...bodies.boxes, ...housingsOf(bodies.scanners, scanner?.name)];
      return outlinesOf({ ...bodies, boxes }, surfaces, densities);
    };
    this.standing = standing ?? withScanners(scene);
    const actors = scene.actors.map((actor) => {
      const legs = actor.legs && { settings: actor.legs, outlines: legOutlines(actor.legs, surfaces) };
      return movingBody(outlinesOf(actor, surfaces, densities), new PathFollower(actor.path), legs);
    });
    const carriers = vehicles.flatMap((trajectory, index) => {
      const vehicle = scene.vehicles[index];
      if (vehicle === undefined || index === scanner?.vehicle) return [];
      return [movingBody(withScanners(vehicle), trajectory, undefined)];
    });
    this.moving = [...actors, ...carriers];
    const own = scanner?.vehicle === undefined ? undefined : scene.vehicles[scanner.vehicle];
    if (own !== undefined && scanner !== undefined)
      this.attached = { outlines: withScanners(own), place: new ScannerMount(scanner, undefined) };
    this.densities = densities;
  }
}

function movingBody(outlines: BodyOutlines, trajectory: Trajectory, legs: MovingBody['legs']): MovingBody {
  return { outlines, trajectory, legs, radius: radiusOf(outlines) };
}

/** Returns the radius (m) of a circle about the origin of a body's coordinates that contains the body. */
function radiusOf({ opaque, glass, fog }: BodyOutlines): number {
  return Math.max(...[opaque, glass, fog].map(radiusOfOutline));
}

function radiusOfOutline({ lines, circles }: Outline): number {
  let radius = 0;
  for (let place = 0; place < lines.length; place += 2)
    radius = Math.max(radius, Math.hypot(lines[place] ?? 0, lines[place + 1] ?? 0));
  for (let place = 0; place < circles.length; place += 3) {
    const distance = Math.hypot(circles[place] ?? 0, circles[place + 1] ?? 0);
    radius = Math.max(radius, distance + (circles[place + 2] ?? 0));
  }
  return radius;
}
