import { PathFollower } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import type { Legs, Scene } from '../scene/scene-file.js';
import { type BodyOutlines, legOutlines, outlinesOf, Surfaces } from '../scene/surfaces.js';
import { frameOf } from './beam-fan.js';
import type { Hits, MovingBody, RayCaster } from './ray-caster.js';

interface Actor {
  readonly outlines: BodyOutlines;
  readonly path: PathFollower;
  readonly legs: { readonly settings: Legs; readonly outlines: BodyOutlines } | undefined;
}

/** The bodies of a scene, prepared for ray casting: surfaces as arrays of numbers, actors with their paths. */
export class SceneBodies {
  readonly surfaces: Surfaces;
  /** Density per m, by fog area. */
  readonly densities: readonly number[];
  readonly #standing: BodyOutlines;
  readonly #actors: readonly Actor[];
  readonly #pose: Pose = { x: 0, y: 0, heading: 0 };

  constructor(scene: Scene) {
    const densities: number[] = [];
    const surfaces = new Surfaces(scene);
    this.surfaces = surfaces;
    this.#standing = outlinesOf(scene, surfaces, densities);
    this.#actors = scene.actors.map((actor) => ({
      outlines: outlinesOf(actor, surfaces, densities),
      path: new PathFollower(actor.path),
      legs: actor.legs && { settings: actor.legs, outlines: legOutlines(actor.legs, surfaces) },
    }));
    this.densities = densities;
  }

  /** Casts the beams of a scanner at this pose over the scene at this time (s). */
  cast(caster: RayCaster, scanner: Pose, time: number): Hits {
    return caster.cast(this.#standing, this.#movingAt(scanner, time), scanner);
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
