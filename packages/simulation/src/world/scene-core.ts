import {
  type MeasuringCore,
  type MeasuringOrder,
  type Motion,
  RevolutionTimer,
  Scan,
  type ScanGeometry,
} from '@azimuth/device';
import { LightPaths, receiverOf } from '../casting/echoes.js';
import { RayCaster } from '../casting/ray-caster.js';
import { SceneBodies } from '../casting/scene-bodies.js';
import { ScannerMount } from '../motion/path.js';
import type { Pose } from '../motion/pose.js';
import { beginScan, RandomNumbers } from '../random-numbers.js';
import type { Scene } from '../scene/scene-file.js';
import { type Dirt, FrontScreen } from '../virtual-hardware.js';
import { type Places, Poses } from './places.js';
import { type ScanMoment, type TrueBeam, truthOf } from './truth.js';

/** The surfaces that the beams of a scan meet. */
export interface ScanTruth {
  /** The number of the scan. */
  readonly scan: number;
  /** Begin of the scan, in whole µs. */
  readonly time: number;
  /** The beams, in the order of the scan. */
  readonly beams: readonly TrueBeam[];
}

/**
 * A measuring core that computes its scans from a scene. The same seed and scene give the same scans. Paths begin at
 * the zero of the scanner's clock.
 */
export class SceneCore implements MeasuringCore {
  readonly #seed: number;
  readonly #screen: FrontScreen;
  #scene: Scene;
  #mount: ScannerMount;
  #poses: Poses | undefined;
  #timer: RevolutionTimer | undefined;
  #measurement: SceneMeasurement | undefined;
  readonly #recent = new RecentScans();

  /**
   * @param seed of its noise, an integer
   * @param dirt on the front screen; default none
   */
  constructor({ scene, seed, dirt }: { scene: Scene; seed: number; dirt?: Dirt }) {
    this.#seed = seed;
    this.#screen = new FrontScreen(dirt);
    this.#scene = scene;
    this.#mount = new ScannerMount(scene.scanner);
  }

  get scene(): Scene {
    return this.#scene;
  }

  /** Replaces the scene from the next scan on. */
  replace(scene: Scene): void {
    this.#scene = scene;
    this.#mount = new ScannerMount(scene.scanner);
    this.#poses = undefined;
    this.#measurement = undefined;
    this.#recent.clear();
  }

  /** Returns what the beams of the newest matching scan met, before noise; undefined if no scan matches. */
  truth(matches: (scan: ScanMoment) => boolean): ScanTruth | undefined {
    const scan = this.#recent.find(matches);
    if (scan === undefined) return undefined;
    return { scan: scan.number, time: Math.round(scan.time), beams: truthOf(this.#scene, scan) };
  }

  /** Returns the positions of the scanner and of all actors at a time (µs of its clock). */
  placesAt(time: number): Places {
    this.#poses ??= new Poses(this.#scene);
    return this.#poses.at(time / 1_000_000);
  }

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.stop();
    const scan = new Scan(order.geometry);
    this.#timer = new RevolutionTimer(order, (number, time) => {
      this.#measurement ??= new SceneMeasurement(this.#scene, this.#seed, order);
      scan.number = number;
      scan.time = time;
      this.#measurement.measure(scan);
      this.#recent.add(number, time, order.geometry);
      this.#screen.weaken(scan, order.sensitivity);
      measured(scan);
    });
  }

  stop(): void {
    this.#timer?.end();
    this.#timer = undefined;
    this.#measurement = undefined;
  }

  /** Returns the motion of the scanner at a time (µs of its clock). */
  motion(time: number): Motion {
    return this.#mount.motion(time / 1_000_000);
  }
}

/** Number of scans that are remembered. */
const capacity = 256;

/** The numbers and times of the last scans. All arrays are made once. */
class RecentScans {
  readonly #numbers = new Float64Array(capacity);
  readonly #times = new Float64Array(capacity);
  #geometry: ScanGeometry | undefined;
  #count = 0;

  /** Adds a scan that has begun. Scans of another geometry are removed. */
  add(number: number, time: number, geometry: ScanGeometry): void {
    if (geometry !== this.#geometry) this.clear();
    this.#geometry = geometry;
    const slot = this.#count % capacity;
    this.#numbers[slot] = number;
    this.#times[slot] = time;
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
      const scan = { number: this.#numbers[slot] ?? 0, time: this.#times[slot] ?? 0, geometry };
      if (matches(scan)) return scan;
    }
    return undefined;
  }
}

/** Measures scans in a scene. */
export class SceneMeasurement {
  readonly #seed: number;
  readonly #bodies: SceneBodies;
  readonly #mount: ScannerMount;
  readonly #caster: RayCaster;
  readonly #light: LightPaths;
  readonly #random = new RandomNumbers();
  readonly #pose: Pose = { x: 0, y: 0, heading: 0 };

  constructor(
    scene: Scene,
    seed: number,
    order: Pick<MeasuringOrder, 'geometry' | 'sensitivity' | 'longRange'>,
  ) {
    this.#seed = seed;
    this.#bodies = new SceneBodies(scene);
    this.#mount = new ScannerMount(scene.scanner);
    this.#caster = new RayCaster(order.geometry);
    this.#light = new LightPaths(this.#bodies, receiverOf(order, scene.noise), order.geometry.beams);
  }

  /** Measures one scan. Everything is at its position of the begin of the scan. `scan` has its number and time. */
  measure(scan: Scan): void {
    const time = scan.time / 1_000_000;
    this.#mount.pose(time, this.#pose);
    const hits = this.#bodies.cast(this.#caster, this.#pose, time);
    beginScan(this.#random, this.#seed, scan.number);
    this.#light.write(scan, hits, this.#random);
  }
}
