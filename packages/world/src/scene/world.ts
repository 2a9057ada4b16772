import { Frame, type Pose } from './pose.js';
import type { RayCaster } from './ray-caster.js';
import type { Legs, Scene } from './scene-file.js';
import { type BodyOutlines, legOutlines, outlinesOf, Surfaces } from './surfaces.js';
import { PathFollower, type PathPose } from './timed-path.js';

interface Actor {
  readonly outlines: BodyOutlines;
  readonly path: PathFollower;
  readonly legs: { readonly settings: Legs; readonly outlines: BodyOutlines } | undefined;
}

/** A scene prepared for ray casting: surfaces as arrays of numbers, actors with their paths. */
export class World {
  readonly surfaces: Surfaces;
  /** Density per m, by fog area. */
  readonly densities: readonly number[];
  readonly #standing: BodyOutlines;
  readonly #actors: readonly Actor[];
  readonly #frame = new Frame();
  readonly #placement: PathPose = { x: 0.5, y: 0.5, heading: 0.5, travelled: 0.5 };
  readonly #foot: Pose = { x: 0.5, y: 0.5, heading: 0.5 };

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
  cast(caster: RayCaster, scanner: Pose, time: number): void {
    caster.castStanding(this.#standing, scanner);
    for (const { outlines, path, legs } of this.#actors) {
      const placement = this.#placement;
      path.pose(time, placement);
      this.#frame.set(placement, scanner);
      caster.castMoving(outlines, this.#frame);
      if (legs === undefined) continue;
      const ahead = legAhead(legs.settings, placement.travelled);
      this.#castLeg(caster, scanner, legs.outlines, ahead, legs.settings.apart / 2);
      this.#castLeg(caster, scanner, legs.outlines, -ahead, -legs.settings.apart / 2);
    }
  }

  #castLeg(caster: RayCaster, scanner: Pose, leg: BodyOutlines, ahead: number, left: number): void {
    const { x, y, heading } = this.#placement;
    this.#foot.x = x + ahead * Math.cos(heading) - left * Math.sin(heading);
    this.#foot.y = y + ahead * Math.sin(heading) + left * Math.cos(heading);
    this.#foot.heading = heading;
    this.#frame.set(this.#foot, scanner);
    caster.castMoving(leg, this.#frame);
  }
}

/** How far (m) the left leg is ahead of the middle after so many metres; the right leg is as far behind. */
function legAhead({ stride }: Legs, travelled: number): number {
  return (stride / 2) * Math.sin((Math.PI * travelled) / stride);
}
