import { radPerDegree } from '@azimuth/device/cores';
import { PathFollower } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import type { Trajectory } from '../motion/trajectory.js';
import { type Viewpoint, viewpointOf } from '../motion/viewpoint.js';
import { housingsOf } from '../scene/mounted-scanners.js';
import type { Bodies, Legs, Scene } from '../scene/scene-file.js';
import { type BodyOutlines, legOutlines, outlinesOf, Surfaces } from '../scene/surfaces.js';
import { frameOf } from './beam-fan.js';
import type { Hits, MovingBody, RayCaster } from './ray-caster.js';

interface Actor {
  readonly outlines: BodyOutlines;
  readonly path: Trajectory;
  readonly legs: { readonly settings: Legs; readonly outlines: BodyOutlines } | undefined;
}

const origin: Pose = { x: 0, y: 0, heading: 0 };

/**
 * The bodies of a scene, prepared for ray casting: surfaces as arrays of numbers, actors and vehicles with their motions.
 * The vehicle of the scanner is apart: it does not move for the scanner, and so it is cast only once.
 */
export class SceneBodies {
  readonly surfaces: Surfaces;
  /** Density per m, by fog area. */
  readonly densities: readonly number[];
  /** The vehicle of the scanner, with the other scanners on it. */
  readonly attached: MovingBody | undefined;
  readonly #standing: BodyOutlines;
  readonly #actors: readonly Actor[];
  readonly #pose: Pose = { x: 0, y: 0, heading: 0 };

  /** The viewpoint is by default that of the only scanner of the scene. */
  constructor(scene: Scene, { scanner, vehicles }: Viewpoint = viewpointOf(scene)) {
    const densities: number[] = [];
    const surfaces = new Surfaces(scene);
    this.surfaces = surfaces;
    const withScanners = (bodies: Bodies & Pick<Scene, 'scanners'>) => {
      const boxes = [...bodies.boxes, ...housingsOf(bodies.scanners, scanner?.name)];
      return outlinesOf({ ...bodies, boxes }, surfaces, densities);
    };
    this.#standing = withScanners(scene);
    const actors = scene.actors.map((actor) => ({
      outlines: outlinesOf(actor, surfaces, densities),
      path: new PathFollower(actor.path),
      legs: actor.legs && { settings: actor.legs, outlines: legOutlines(actor.legs, surfaces) },
    }));
    const carriers = vehicles.flatMap((path, index) => {
      const vehicle = scene.vehicles[index];
      if (vehicle === undefined || index === scanner?.vehicle) return [];
      return [{ outlines: withScanners(vehicle), path, legs: undefined }];
    });
    this.#actors = [...actors, ...carriers];
    const own = scanner?.vehicle === undefined ? undefined : scene.vehicles[scanner.vehicle];
    if (own !== undefined && scanner !== undefined) {
      const place = { x: scanner.x, y: scanner.y, heading: scanner.heading * radPerDegree };
      this.attached = { outlines: withScanners(own), frame: frameOf(origin, place) };
    }
    this.densities = densities;
  }

  /** Casts the beams of a scanner at this pose over the scene at this time (s). */
  cast(caster: RayCaster, scanner: Pose, time: number): Hits {
    return caster.cast(this.#standing, this.#movingAt(scanner, time), scanner, this.attached);
  }

  #movingAt(scanner: Pose, time: number): readonly MovingBody[] {
    const pose = this.#pose;
    const moving: MovingBody[] = [];
    for (const { outlines, path, legs } of this.#actors) {
      path.pose(time, pose);
      moving.push({ outlines, frame: frameOf(pose, scanner) });
      if (legs === undefined) continue;
      const { apart } = legs.settings;
      const ahead = legAhead(legs.settings, path.travelled(time));
      const left = frameOf(footOf(pose, ahead, apart / 2), scanner);
      const right = frameOf(footOf(pose, -ahead, -apart / 2), scanner);
      moving.push({ outlines: legs.outlines, frame: left }, { outlines: legs.outlines, frame: right });
    }
    return moving;
  }
}

/** Returns the distance (m) of the left leg ahead of the middle after this many metres. The right leg is as far behind. */
function legAhead({ stride }: Legs, travelled: number): number {
  return (stride / 2) * Math.sin((Math.PI * travelled) / stride);
}

/** Returns the pose of a foot, this many metres ahead and to the left of the middle. */
function footOf({ x, y, heading }: Pose, ahead: number, left: number): Pose {
  return {
    x: x + ahead * Math.cos(heading) - left * Math.sin(heading),
    y: y + ahead * Math.sin(heading) + left * Math.cos(heading),
    heading,
  };
}
