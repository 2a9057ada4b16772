import {
  type Clock,
  type MeasuringCore,
  type MeasuringOrder,
  type Motion,
  RevolutionTimer,
  Scan,
  type ScanGeometry,
} from '@azimuth/device';
import { sameGeometry, vouchFor } from '@azimuth/device/cores';
import { LightPaths, receiverOf } from '../casting/echoes.js';
import { RayCaster } from '../casting/ray-caster.js';
import { SceneBodies } from '../casting/scene-bodies.js';
import type { Trajectory } from '../motion/trajectory.js';
import { type Viewpoint, viewpointOf } from '../motion/viewpoint.js';
import { beginScan, RandomNumbers } from '../random-numbers.js';
import type { Scene } from '../scene/scene-file.js';
import { type Dirt, FrontScreen } from '../virtual-hardware.js';
import { type Places, Poses } from './places.js';
import { type ScanMoment, type TrueBeam, truthOf } from './truth.js';
import { unnamedVehicle, World } from './world.js';

/** The surfaces that the beams of a scan meet. */
export interface ScanTruth {
  /** The number of the scan. */
  readonly scan: number;
  /** Begin of the scan, in whole µs. */
  readonly time: number;
  /** Begin of the scan in s of the world. */
  readonly worldTime: number;
  /** The beams, in the order of the scan. */
  readonly beams: readonly TrueBeam[];
}

/** What a core needs to measure in a scene. */
interface SceneCoreOptions {
  /** The scene of a world of its own. */
  readonly scene: Scene;
  /** The clock of the process: the world begins now. By default, it begins with the first boot of the scanner. */
  readonly clock?: Clock | undefined;
  /** Seed of its noise, an integer. */
  readonly seed: number;
  /** On the front screen; none by default. */
  readonly dirt?: Dirt | undefined;
}

/** The way of a scanner in one scene. */
interface Way {
  readonly mount: Trajectory;
  /** m that were travelled more than the mount tells. */
  readonly ahead: number;
}

/** What a core needs to measure in a world that others share. */
interface WorldCoreOptions extends Pick<SceneCoreOptions, 'seed' | 'dirt'> {
  readonly world: World;
  /** The name of its scanner in the world; undefined if it is the only one, without a name. */
  readonly scanner?: string | undefined;
}

/**
 * A measuring core that computes its scans from a scene. The same seed, scene and times give the same scans. Paths are
 * functions of the time of its world, which goes on while the scanner reboots.
 */
export class SceneCore implements MeasuringCore {
  /** The world, which others may share. */
  readonly world: World;
  readonly #scanner: string | undefined;
  readonly #seed: number;
  readonly #screen: FrontScreen;
  #viewpoint: Viewpoint;
  /** The way of the scanner in this scene, and in the one before: it goes on without a jump. */
  #way: Way;
  #formerWay: (Way & { readonly until: number }) | undefined;
  #poses: Poses | undefined;
  #timer: RevolutionTimer | undefined;
  #measurement: SceneMeasurement | undefined;
  readonly #recent = new RecentScans();

  /** @throws SceneError for a scanner that the world does not have */
  constructor(options: SceneCoreOptions | WorldCoreOptions) {
    this.world = 'world' in options ? options.world : new World(options);
    this.#scanner = 'world' in options ? options.scanner : undefined;
    this.world.mount({ scanner: this.#scanner, replaced: () => this.#replaced() });
    this.#seed = options.seed;
    this.#screen = new FrontScreen(options.dirt);
    this.#viewpoint = this.world.viewpointOf(this.#scanner);
    this.#way = { mount: this.#viewpoint.mount, ahead: 0 };
  }

  get scene(): Scene {
    return this.world.scene;
  }

  /** Replaces the scene of the world from the next scan on. @throws SceneError if it lacks a scanner of the world */
  replace(scene: Scene): void {
    this.world.replace(scene);
  }

  /**
   * Returns what the beams of the newest matching scan met, before noise; undefined if no scan matches, or if the way of a
   * vehicle is no longer known. A reboot forgets no scan.
   */
  truth(matches: (scan: ScanMoment) => boolean): ScanTruth | undefined {
    const scan = this.#recent.find(matches);
    if (scan === undefined || scan.worldTime < this.world.knownSince) return undefined;
    return {
      scan: scan.number,
      time: Math.round(scan.time),
      worldTime: scan.worldTime,
      beams: truthOf(this.#viewpoint, scan),
    };
  }

  /** The name of the vehicle that carries the scanner; `unnamedVehicle` for an only scanner, undefined for a fixed one. */
  get vehicle(): string | undefined {
    const { scanner, scene } = this.#viewpoint;
    if (scanner === undefined) return unnamedVehicle;
    return scanner.vehicle === undefined ? undefined : scene.vehicles[scanner.vehicle]?.name;
  }

  /** Returns the present positions of the scanner and of everything that moves. */
  places(): Places {
    this.#poses ??= new Poses(this.#viewpoint);
    return this.#poses.at(this.world.now);
  }

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.stop();
    this.world.begin(order.clock, order.bootedAt);
    const scan = scanOf(order.geometry);
    vouchFor(scan, measured);
    const booted = this.world.secondsAt(order.bootedAt);
    this.#timer = new RevolutionTimer(order, (number, time) => {
      this.#measurement ??= new SceneMeasurement(this.scene, this.#seed, order, this.#viewpoint);
      scan.number = number;
      scan.time = time;
      const worldTime = booted + time / 1_000_000;
      this.#commit(worldTime + 1 / order.geometry.frequency);
      this.#measurement.measure(scan, worldTime);
      this.#recent.add(number, time, worldTime, order.geometry);
      this.#screen.weaken(scan, order.sensitivity);
      measured(scan);
    });
  }

  /** Makes all motions certain up to the end of a scan (s of the world): it is measured at its begin. */
  #commit(until: number): void {
    const { world } = this;
    world.certainUntil = Math.max(world.certainUntil, until);
    for (const motion of world.commanded.values()) motion.commit(until);
  }

  #replaced(): void {
    const { now } = this.world;
    const { mount, ahead } = this.#way;
    this.#viewpoint = this.world.viewpointOf(this.#scanner);
    const travelled = ahead + mount.travelled(now) - this.#viewpoint.mount.travelled(now);
    this.#formerWay = { mount, ahead, until: now };
    this.#way = { mount: this.#viewpoint.mount, ahead: travelled };
    this.#poses = undefined;
    this.#measurement = undefined;
    this.#recent.clear();
  }

  stop(): void {
    this.#timer?.end();
    this.#timer = undefined;
    this.#measurement = undefined;
  }

  motion(time: number, bootedAt: number): Motion {
    return this.#viewpoint.mount.motion(this.world.secondsAt(bootedAt) + time / 1_000_000);
  }

  travelled(time: number, bootedAt: number): number {
    const seconds = this.world.secondsAt(bootedAt) + time / 1_000_000;
    const former = this.#formerWay;
    const { mount, ahead } = former !== undefined && seconds < former.until ? former : this.#way;
    return ahead + mount.travelled(seconds);
  }
}

/** By geometry: the scan that all cores of the process fill and pass on. A receiver has copied it when it returns. */
const scans: Scan[] = [];

/** Returns the scan of a geometry. One for all stays in the caches of the processor. */
function scanOf(geometry: ScanGeometry): Scan {
  const known = scans.find((scan) => sameGeometry(scan.geometry, geometry));
  if (known !== undefined) return known;
  const scan = new Scan(geometry);
  scans.push(scan);
  return scan;
}

/** Number of scans that are remembered. */
const capacity = 256;

/** The numbers and times of the last scans. All arrays are made once. */
class RecentScans {
  readonly #numbers = new Float64Array(capacity);
  readonly #times = new Float64Array(capacity);
  readonly #worldTimes = new Float64Array(capacity);
  #geometry: ScanGeometry | undefined;
  #count = 0;

  /** Adds a scan that has begun. Scans of another geometry are removed. */
  add(number: number, time: number, worldTime: number, geometry: ScanGeometry): void {
    if (this.#geometry === undefined || !sameGeometry(geometry, this.#geometry)) this.clear();
    this.#geometry = geometry;
    const slot = this.#count % capacity;
    this.#numbers[slot] = number;
    this.#times[slot] = time;
    this.#worldTimes[slot] = worldTime;
    this.#count += 1;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Returns the newest scan that matches; undefined if there is none. */
  find(matches: (scan: ScanMoment) => boolean): ScanMoment | undefined {
    const geometry = this.#geometry;
    if (geometry === undefined) return undefined;
    for (let index = this.#count - 1; index >= Math.max(0, this.#count - capacity); index--) {
      const slot = index % capacity;
      const scan = {
        number: this.#numbers[slot] ?? 0,
        time: this.#times[slot] ?? 0,
        worldTime: this.#worldTimes[slot] ?? 0,
        geometry,
      };
      if (matches(scan)) return scan;
    }
    return undefined;
  }
}

/** Measures scans in a scene. */
export class SceneMeasurement {
  readonly #seed: number;
  readonly #bodies: SceneBodies;
  readonly #mount: Trajectory;
  readonly #caster: RayCaster;
  readonly #light: LightPaths;
  readonly #random = new RandomNumbers();

  constructor(
    scene: Scene,
    seed: number,
    order: Pick<MeasuringOrder, 'geometry' | 'sensitivity' | 'longRange'>,
    viewpoint: Viewpoint = viewpointOf(scene),
  ) {
    this.#seed = seed;
    this.#bodies = new SceneBodies(scene, viewpoint);
    this.#mount = viewpoint.mount;
    this.#caster = new RayCaster(order.geometry);
    this.#light = new LightPaths(this.#bodies, receiverOf(order, scene.noise), order.geometry.beams);
  }

  /**
   * Measures one scan. Everything moves from beam to beam. `scan` has its number.
   * @param time of the begin of the scan: s of the world
   */
  measure(scan: Scan, time: number = scan.time / 1_000_000): void {
    const hits = this.#caster.cast(this.#bodies, this.#mount, time);
    beginScan(this.#random, this.#seed, scan.number);
    this.#light.write(scan, hits, this.#random);
  }
}
