import type { Clock } from '@azimuth/device';
import { SceneError } from '../file-problems.js';
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

/**
 * The world that virtual scanners measure: a scene, and a time of its own. World time goes on while scanners reboot or
 * have no power, and moves with the clock. All paths are functions of it. Several scanners may share one world, each on
 * its own mount.
 */
export class World {
  #scene: Scene;
  /** The motions of the vehicles, which all scanners share. */
  #vehicles: readonly Trajectory[];
  #clock: Clock | undefined;
  /** ms of the monotonic clock; undefined until the world has a clock. */
  #zero: number | undefined;
  readonly #mounted: Mounted[] = [];

  /**
   * @param clock the clock of the process. The world begins now. Without a clock, it begins with the boot of the
   * scanner that measures first
   */
  constructor({ scene, clock }: { readonly scene: Scene; readonly clock?: Clock | undefined }) {
    this.#scene = scene;
    this.#vehicles = scene.vehicles.map(motionOf);
    this.#clock = clock;
    this.#zero = clock?.monotonic();
  }

  /** The present scene. An edit replaces it for all scanners. */
  get scene(): Scene {
    return this.#scene;
  }

  /**
   * Replaces the scene: each scanner measures it from its next revolution on.
   * @throws SceneError if it lacks a scanner that measures in this world
   */
  replace(scene: Scene): void {
    for (const { scanner } of this.#mounted) placedScanner(scene, scanner);
    this.#scene = scene;
    this.#vehicles = scene.vehicles.map(motionOf);
    for (const { replaced } of this.#mounted) replaced();
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

  /**
   * Mounts a scanner. From now on, each scene needs one of its name.
   * @throws SceneError as `viewpointOf`
   */
  mount(mounted: Mounted): void {
    this.viewpointOf(mounted.scanner);
    this.#mounted.push(mounted);
  }

  /**
   * Returns how a scanner sees the present scene.
   * @param name undefined for the only scanner of a scene without names
   * @throws SceneError for a name that the scene does not have, and without a name if its scanners have names
   */
  viewpointOf(name: string | undefined): Viewpoint {
    return viewpointOf(this.#scene, placedScanner(this.#scene, name), this.#vehicles);
  }
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
