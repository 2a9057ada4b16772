import type { Pose } from './pose.js';
import { radiansPerDegree } from './pose.js';
import type { Scene } from './scene-file.js';
import { PathFollower, type PathPose, ScannerMount } from './timed-path.js';

/** Where something is: m, and degrees counter-clockwise above -180, up to 180. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/** Where the scanner and all actors are; the actors in the order of the scene. */
export interface Places {
  readonly scanner: Place;
  readonly actors: readonly (Place & { readonly name: string })[];
}

/** Where everything in a scene is at a time. */
export class Poses {
  readonly #mount: ScannerMount;
  readonly #actors: readonly { readonly name: string; readonly path: PathFollower }[];

  constructor({ scanner, actors }: Scene) {
    this.#mount = new ScannerMount(scanner);
    this.#actors = actors.map(({ name, path }) => ({ name, path: new PathFollower(path) }));
  }

  /** @param time s since the zero of the scanner's clock */
  at(time: number): Places {
    const pose: PathPose = { x: 0, y: 0, heading: 0, travelled: 0 };
    this.#mount.pose(time, pose);
    const scanner = placeOf(pose);
    const actors = this.#actors.map(({ name, path }) => {
      path.pose(time, pose);
      return { name, ...placeOf(pose) };
    });
    return { scanner, actors };
  }
}

/** Rounded to mm and hundredths of a degree: it is for people. */
function placeOf({ x, y, heading }: Pose): Place {
  const degrees = rounded(heading / radiansPerDegree, 100);
  return {
    x: rounded(x, 1000),
    y: rounded(y, 1000),
    heading: rounded(degrees - 360 * Math.ceil((degrees - 180) / 360), 100),
  };
}

/** To parts of a unit; never -0. */
function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts + 0;
}
