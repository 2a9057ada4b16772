import type { Motion } from '@azimuth/device';
import { type Pose, radiansPerDegree } from './pose.js';
import type { Scene } from './scene-file.js';
import { PathFollower, type Placement } from './timed-path.js';

/** m/s². */
const gravity = 9.81;
/** s before and after a moment in which its motion is measured: a change of speed is spread over twice as long. */
const margin = 0.05;

/** Where the scanner is and how it moves: fixed in the world, or on a vehicle that goes along a path. */
export class ScannerMount {
  readonly #mount: Pose;
  readonly #path: PathFollower | undefined;
  readonly #vehicle: Placement = { x: 0, y: 0, heading: 0, travelled: 0 };

  constructor({ x, y, heading, path }: Scene['scanner']) {
    this.#mount = { x, y, heading: heading * radiansPerDegree };
    this.#path = path && new PathFollower(path);
  }

  /** @param time s */
  pose(time: number, into: Pose): void {
    this.#path?.place(time, this.#vehicle);
    const cosine = Math.cos(this.#vehicle.heading);
    const sine = Math.sin(this.#vehicle.heading);
    into.x = this.#vehicle.x + cosine * this.#mount.x - sine * this.#mount.y;
    into.y = this.#vehicle.y + sine * this.#mount.x + cosine * this.#mount.y;
    into.heading = this.#vehicle.heading + this.#mount.heading;
  }

  /** How it moves, in its own axes, by the difference between 50 ms before and after. */
  motion(time: number): Motion {
    const now = { x: 0, y: 0, heading: 0 };
    const before = { ...now };
    const after = { ...now };
    const middle = this.#path?.awayFromJump(time, margin) ?? time;
    this.pose(middle - margin, before);
    this.pose(middle, now);
    this.pose(middle + margin, after);
    const ax = (after.x - 2 * now.x + before.x) / (margin * margin);
    const ay = (after.y - 2 * now.y + before.y) / (margin * margin);
    this.pose(time, now);
    const cosine = Math.cos(now.heading);
    const sine = Math.sin(now.heading);
    return {
      acceleration: [cosine * ax + sine * ay, cosine * ay - sine * ax, gravity],
      angularVelocity: [0, 0, shorterTurn(after.heading - before.heading) / (2 * margin)],
      orientation: [Math.cos(now.heading / 2), 0, 0, Math.sin(now.heading / 2)],
    };
  }
}

function shorterTurn(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
