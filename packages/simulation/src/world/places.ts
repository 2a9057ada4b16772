import { radPerDegree } from '@azimuth/device/cores';
import { PathFollower, ScannerMount } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import type { Scene } from '../scene/scene-file.js';

/** A position in m, and a heading in degrees counter-clockwise, above -180, up to 180. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/** The positions of the scanner and of all actors; the actors in the order of the scene. */
export interface Places {
  readonly scanner: Place;
  readonly actors: readonly (Place & { readonly name: string })[];
}

/** Computes the positions of everything in a scene. */
export class Poses {
  readonly #mount: ScannerMount;
  readonly #actors: readonly { readonly name: string; readonly path: PathFollower }[];

  constructor({ scanner, actors }: Scene) {
    this.#mount = new ScannerMount(scanner);
    this.#actors = actors.map(({ name, path }) => ({ name, path: new PathFollower(path) }));
  }

  /** Returns all positions at a time. @param time s since the zero of the scanner's clock */
  at(time: number): Places {
    const pose: Pose = { x: 0, y: 0, heading: 0 };
    this.#mount.pose(time, pose);
    const scanner = placeOf(pose);
    const actors = this.#actors.map(({ name, path }) => {
      path.pose(time, pose);
      return { name, ...placeOf(pose) };
    });
    return { scanner, actors };
  }
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
