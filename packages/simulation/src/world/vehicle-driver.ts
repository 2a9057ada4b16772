import { radPerDegree } from '@azimuth/device/cores';
import { DrivenTrajectory, type VehicleState, type Velocity } from '../motion/driven-trajectory.js';
import { standingStretch } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import type { Trajectory } from '../motion/trajectory.js';
import { type Drive, usualDrive } from '../scene/scene-file.js';
import type { World } from './world.js';

/** The commands and the state of one vehicle of a world. */
export class VehicleDriver {
  readonly #world: World;
  readonly #name: string;

  /**
   * @param name `unnamedVehicle` for the vehicle of the only scanner of a scene
   * @throws RangeError for a vehicle that the scene does not have
   */
  constructor(world: World, name: string) {
    this.#world = world;
    this.#name = name;
    world.vehicle(name);
  }

  /** What the vehicle is able to do. */
  get settings(): Drive {
    return this.#world.vehicle(this.#name).member.drive ?? usualDrive;
  }

  /**
   * Follows a velocity, as far as the drive permits.
   * @param now s of the world
   * @param lasts s after which the vehicle brakes; by default it drives until the next command
   * @throws RangeError for a vehicle that follows a path
   */
  drive(now: number, velocity: Velocity, lasts?: number): void {
    this.#driven(now).drive(now, velocity, lasts);
  }

  /** Puts the vehicle at a place, where it stands. @throws RangeError for a vehicle that follows a path */
  put(now: number, pose: Pose): void {
    this.#driven(now).put(now, pose);
  }

  /** Returns the state at a time (s of the world). */
  state(now: number): VehicleState {
    const { motion } = this.#world.vehicle(this.#name);
    return motion instanceof DrivenTrajectory ? motion.state(now) : stateOf(motion, now);
  }

  #driven(now: number): DrivenTrajectory {
    const present = this.#world.commanded.get(this.#name);
    if (present instanceof DrivenTrajectory) return present;
    const { settings } = this;
    const { x, y, heading } = this.#world.vehicle(this.#name).member;
    const driven = new DrivenTrajectory({
      start: { x, y, heading: heading * radPerDegree },
      time: Math.max(now, this.#world.certainUntil),
      limits: {
        speed: settings.speed,
        turn: settings.turn * radPerDegree,
        acceleration: settings.acceleration,
        turnAcceleration: settings.turnAcceleration * radPerDegree,
      },
      wheels: settings.odometry,
    });
    this.#world.command(this.#name, driven);
    return driven;
  }
}

/** Returns the state of a vehicle that stands or follows a path. Its wheels are right, and notice jumps. */
function stateOf(motion: Trajectory, time: number): VehicleState {
  const start = { x: 0, y: 0, heading: 0 };
  const pose = { ...start };
  motion.pose(0, start);
  motion.pose(time, pose);
  const cosine = Math.cos(start.heading);
  const sine = Math.sin(start.heading);
  const [dx, dy] = [pose.x - start.x, pose.y - start.y];
  const stretch = standingStretch();
  motion.stretch(time, stretch);
  return {
    time,
    speed: stretch.speed,
    turn: stretch.turn,
    travelled: motion.travelled(time) - motion.travelled(0),
    odometry: {
      x: cosine * dx + sine * dy,
      y: cosine * dy - sine * dx,
      heading: pose.heading - start.heading,
    },
    pose,
  };
}
