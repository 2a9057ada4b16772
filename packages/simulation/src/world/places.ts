import { radPerDegree } from '@azimuth/device/cores';
import { PathFollower } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import type { Trajectory } from '../motion/trajectory.js';
import { mountOf, type Viewpoint } from '../motion/viewpoint.js';
import { scannersOf } from '../scene/mounted-scanners.js';

/** A position in m, and a heading in degrees counter-clockwise, above -180, up to 180. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/** The place of something that has a name. */
export interface NamedPlace extends Place {
  readonly name: string;
}

/** The positions of everything in a world, in the order of the scene. */
export interface Places {
  /** The scanner that was asked. */
  readonly scanner: Place;
  readonly actors: readonly NamedPlace[];
  readonly vehicles: readonly NamedPlace[];
  /** All scanners with names, the one that was asked included. */
  readonly scanners: readonly NamedPlace[];
}

/** Something with a name that moves. */
interface Named {
  readonly name: string;
  readonly motion: Trajectory;
}

/** Computes the positions of everything in a scene. */
export class Poses {
  readonly #mount: Trajectory;
  readonly #actors: readonly Named[];
  readonly #vehicles: readonly Named[];
  readonly #scanners: readonly Named[];

  /** @param viewpoint of the scanner that is asked */
  constructor({ scene, vehicles, mount }: Viewpoint) {
    this.#mount = mount;
    this.#actors = scene.actors.map(({ name, path }) => named(name, new PathFollower(path)));
    this.#vehicles = vehicles.map((vehicle, index) => named(scene.vehicles[index]?.name ?? '', vehicle));
    this.#scanners = scannersOf(scene).map((one) => named(one.name, mountOf(one, vehicles)));
  }

  /** Returns all positions at a time. @param time s of the world */
  at(time: number): Places {
    const pose: Pose = { x: 0, y: 0, heading: 0 };
    const placesOf = (all: readonly Named[]) =>
      all.map((one) => {
        one.motion.pose(time, pose);
        return { name: one.name, ...placeOf(pose) };
      });
    this.#mount.pose(time, pose);
    const scanner = placeOf(pose);
    return {
      scanner,
      actors: placesOf(this.#actors),
      vehicles: placesOf(this.#vehicles),
      scanners: placesOf(this.#scanners),
    };
  }
}

function named(name: string, motion: Trajectory): Named {
  return { name, motion };
}

/** Rounds a pose to mm and hundredths of a degree, for people to read. */
function placeOf({ x, y, heading }: Pose): Place {
  const degrees = rounded(heading / radPerDegree, 100);
  return {
    x: rounded(x, 1000),
    y: rounded(y, 1000),
    heading: rounded(degrees - 360 * Math.ceil((degrees - 180) / 360), 100),
  };
}

/** Rounds to parts of a unit; never -0. */
function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts + 0;
}
