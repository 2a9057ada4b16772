import type { Clock } from '@azimuth/device';
import { SceneError, unknownNames } from '../file-problems.js';
import { PathFollower, ScannerMount } from '../motion/path.js';
import type { Trajectory } from '../motion/trajectory.js';
import { motionOf, type Viewpoint, viewpointOf } from '../motion/viewpoint.js';
import { type PlacedScanner, scannersOf } from '../scene/mounted-scanners.js';
import type { Scene } from '../scene/scene-file.js';

/** A scanner that measures in a world. */
interface Mounted {
  /** Its name; undefined for the only scanner of a scene without names. */
  readonly scanner: string | undefined;
  /** Called when the scene is another one. */
  readonly replaced: () => void;
}

/** The motion of a vehicle that follows commands. */
export interface CommandedMotion extends Trajectory {
  /** Makes the motion certain up to a time (s): later commands do not change it. */
  commit(until: number): void;
  /** The time (s) since which the motion is known. */
  readonly knownSince: number;
  /** Remembers the motion at a time. Returns a function that makes one that goes on at another time as this one did. */
  remember(time: number): (now: number) => CommandedMotion;
}

/** The name of the vehicle of the only scanner of a scene, if the scene names none. */
export const unnamedVehicle = '';

/** A vehicle: its member of the scene, and its motion without commands. */
interface Vehicle {
  readonly member: Pick<Scene['scanner'], 'x' | 'y' | 'heading' | 'path' | 'drive'>;
  readonly motion: PathFollower | ScannerMount;
}

/**
 * The world that virtual scanners measure: a scene, and a time of its own. World time goes on while scanners reboot or
 * have no power, and moves with the clock. All paths are functions of it. Several scanners may share one world, each on
 * its own mount.
 */
export class World {
  #scene: Scene;
  /** The motions of the vehicles, which all scanners share. */
  #vehicles: ReadonlyMap<string, Vehicle>;
  /** The motion of the only scanner of a scene without names. */
  #onlyMount: ScannerMount;
  /** Those that have followed a command, by the names of their vehicles. */
  readonly #commanded = new Map<string, CommandedMotion>();
  readonly commanded: ReadonlyMap<string, CommandedMotion> = this.#commanded;
  /** The time (s of the world) up to which scans have been measured, or are being measured. */
  certainUntil = 0;
  #clock: Clock | undefined;
  /** ms of the monotonic clock; undefined until the world has a clock. */
  #zero: number | undefined;
  /** By the names of the scanners. */
  readonly #mounted = new Map<string | undefined, Mounted>();

  /**
   * @param clock the clock of the process. The world begins now. Without a clock, it begins with the boot of the
   * scanner that measures first
   */
  constructor({ scene, clock }: { readonly scene: Scene; readonly clock?: Clock | undefined }) {
    this.#scene = scene;
    this.#onlyMount = new ScannerMount(scene.scanner);
    this.#vehicles = vehiclesOf(scene, this.#onlyMount);
    this.#clock = clock;
    this.#zero = clock?.monotonic();
  }

  /** The present scene. An edit replaces it for all scanners. */
  get scene(): Scene {
    return this.#scene;
  }

  /**
   * Replaces the scene: each scanner measures it from its next revolution on. A vehicle that follows commands goes on if
   * its place and its drive are the same in the new scene.
   * @throws SceneError if it lacks a scanner that measures in this world
   */
  replace(scene: Scene): void {
    const before = this.#vehicles;
    const after = vehiclesOf(scene, new ScannerMount(scene.scanner));
    const goOn = [...this.#commanded].filter(([name]) => beginsAlike(before.get(name), after.get(name)));
    this.#replace(scene, goOn);
  }

  /**
   * Remembers the scene, and how its vehicles drive. World time goes on.
   * @returns a function that puts this back, as often as it is called
   */
  remember(): () => void {
    const { now } = this;
    const scene = this.#scene;
    const driving = [...this.#commanded].map(([name, motion]) => [name, motion.remember(now)] as const);
    return () => {
      if (this.#scene === scene && driving.length === 0 && this.#commanded.size === 0) return;
      this.#replace(
        scene,
        driving.map(([name, resumed]) => [name, resumed(this.now)] as const),
      );
    };
  }

  /** Replaces the scene, and the motions of the vehicles that follow commands. */
  #replace(scene: Scene, commanded: readonly (readonly [string, CommandedMotion])[]): void {
    for (const scanner of this.#mounted.keys()) placedScanner(scene, scanner);
    this.#scene = scene;
    this.#onlyMount = new ScannerMount(scene.scanner);
    this.#vehicles = vehiclesOf(scene, this.#onlyMount);
    this.#commanded.clear();
    for (const [name, motion] of commanded) this.command(name, motion);
    for (const { replaced } of this.#mounted.values()) replaced();
  }

  /** The time (s of the world) since which the motions of all vehicles are known. */
  get knownSince(): number {
    return Math.max(0, ...[...this.#commanded.values()].map((motion) => motion.knownSince));
  }

  /** Begins the world, unless it has begun. @param zero ms of `clock.monotonic()` */
  begin(clock: Clock, zero: number): void {
    this.#clock ??= clock;
    this.#zero ??= zero;
  }

  /** World time (s) at a time of the monotonic clock (ms). */
  secondsAt(monotonic: number): number {
    return this.#zero === undefined ? 0 : (monotonic - this.#zero) / 1000;
  }

  /** The present world time in s. */
  get now(): number {
    return this.#clock === undefined ? 0 : this.secondsAt(this.#clock.monotonic());
  }

  /** The scanners with a name, in the order of the scene. */
  get scanners(): readonly PlacedScanner[] {
    return scannersOf(this.#scene);
  }

  /** The scanner that has the velocity port and the odometry in ROS 2: the first on a vehicle, else the first of all. */
  get vehicleScanner(): string | undefined {
    const { scanners } = this;
    return (scanners.find(({ vehicle }) => vehicle !== undefined) ?? scanners[0])?.name;
  }

  /**
   * Mounts a scanner, in place of an earlier one of its name. From now on, each scene needs one of this name.
   * @throws SceneError as `viewpointOf`
   */
  mount(mounted: Mounted): void {
    this.viewpointOf(mounted.scanner);
    this.#mounted.set(mounted.scanner, mounted);
  }

  /**
   * Returns how a scanner sees the present scene.
   * @param name undefined for the only scanner of a scene without names
   * @throws SceneError for a name that the scene does not have, and without a name if its scanners have names
   */
  viewpointOf(name: string | undefined): Viewpoint {
    const scanner = placedScanner(this.#scene, name);
    const motions = this.#scene.vehicles.map((vehicle) => this.#vehicleNamed(vehicle.name).motion);
    const viewpoint = viewpointOf(this.#scene, scanner, motions);
    return scanner === undefined ? { ...viewpoint, mount: this.#onlyMount } : viewpoint;
  }

  /**
   * Lets a vehicle follow commands from now on. It stands until the first one.
   * @param name `unnamedVehicle` for the vehicle of the only scanner of a scene
   * @throws RangeError for a vehicle that the scene does not have, or that follows a path
   */
  command(name: string, motion: CommandedMotion): void {
    const vehicle = this.#vehicleNamed(name);
    if (!(vehicle.motion instanceof ScannerMount))
      throw new RangeError('this vehicle follows the path in the scene, and no commands');
    vehicle.motion.ride(motion);
    this.#commanded.set(name, motion);
  }

  /** Returns a vehicle with its motion. @throws RangeError for a vehicle that the scene does not have */
  vehicle(name: string): { readonly member: Vehicle['member']; readonly motion: Trajectory } {
    const { member, motion } = this.#vehicleNamed(name);
    return { member, motion: this.#commanded.get(name) ?? motion };
  }

  #vehicleNamed(name: string): Vehicle {
    const vehicle = this.#vehicles.get(name);
    if (vehicle !== undefined) return vehicle;
    const names = this.#scene.vehicles.map((one) => one.name);
    throw new RangeError(
      names.length === 0
        ? 'this scene has no vehicle with a name'
        : `${unknownNames('vehicle ', [name], names)}; expected ${names.join(', ')}`,
    );
  }
}

/** Returns the vehicles of a scene by name, and that of its only scanner. */
function vehiclesOf(scene: Scene, onlyMount: ScannerMount): ReadonlyMap<string, Vehicle> {
  const { path } = scene.scanner;
  const motion = path === undefined ? onlyMount : new PathFollower(path);
  return new Map<string, Vehicle>([
    [unnamedVehicle, { member: scene.scanner, motion }],
    ...scene.vehicles.map((member) => [member.name, { member, motion: motionOf(member) }] as const),
  ]);
}

/** Returns true if a vehicle begins at the same place in both scenes, with the same drive. */
function beginsAlike(one: Vehicle | undefined, other: Vehicle | undefined): boolean {
  const text = ({ member: { x, y, heading, path, drive } }: Vehicle) =>
    JSON.stringify({ x, y, heading, path, drive });
  return one !== undefined && other !== undefined && text(one) === text(other);
}

/** Returns the scanner of a name; undefined for no name. @throws SceneError if the scene has no such scanner */
function placedScanner(scene: Scene, name: string | undefined): PlacedScanner | undefined {
  const scanners = scannersOf(scene);
  const scanner = scanners.find((one) => one.name === name);
  if (scanner !== undefined || (name === undefined && scanners.length === 0)) return scanner;
  const names = scanners.map((one) => one.name);
  const has =
    names.length === 0 ? 'a scene without scanners that have names' : `one with ${names.join(', ')}`;
  throw new SceneError(
    name === undefined
      ? `the scene is a world of several scanners: ${names.join(', ')}; start it with --world or startWorld`
      : `expected a scene with the scanner ${name}, got ${has}`,
  );
}
