import {
  type MeasuringCore,
  type MeasuringOrder,
  type Motion,
  Rotation,
  Scan,
  type ScanGeometry,
  sameGeometry,
} from '@azimuth/device';
import { type Dirt, FrontScreen } from '../front-screen.js';
import { type Crossings, crossingsPerBeam } from './crossings.js';
import { detectionOf, EchoReceiver, Noise, signalStrength } from './echoes.js';
import type { Pose } from './pose.js';
import { type Places, Poses } from './poses.js';
import { RandomNumbers } from './random-numbers.js';
import { RayCaster } from './ray-caster.js';
import { RecentScans } from './recent-scans.js';
import type { Scene } from './scene-file.js';
import { SurfaceEchoes } from './surface-echoes.js';
import { ScannerMount } from './timed-path.js';
import { type ScanMoment, type TrueBeam, truthOf } from './truth.js';
import { World } from './world.js';

/** What a scan is to find. */
export interface ScanTruth {
  /** Its number. */
  readonly scan: number;
  /** When it began, in whole µs. */
  readonly time: number;
  /** Beam by beam, in the order of the scan. */
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
  #rotation: Rotation | undefined;
  #measurement: SceneMeasurement | undefined;
  readonly #recent = new RecentScans();

  /**
   * @param seed of its noise, an integer
   * @param dirt on the front screen; none if it is left out
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

  /** What the beams of the newest scan met for which `isIt` is true, before noise; undefined if it is not known. */
  truth(isIt: (scan: ScanMoment) => boolean): ScanTruth | undefined {
    const scan = this.#recent.find(isIt);
    if (scan === undefined) return undefined;
    return { scan: scan.number, time: Math.round(scan.time), beams: truthOf(this.#scene, scan) };
  }

  /** Where the scanner and all actors are at a time (µs of its clock). */
  placesAt(time: number): Places {
    this.#poses ??= new Poses(this.#scene);
    return this.#poses.at(time / 1_000_000);
  }

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.stop();
    const scan = passingScan(order.geometry);
    const caster = new RayCaster(order.geometry);
    this.#rotation = new Rotation(order, (number, time) => {
      this.#measurement ??= new SceneMeasurement(this.#scene, this.#seed, order, caster);
      scan.number = number;
      scan.time = time;
      this.#measurement.measure(scan);
      this.#recent.add(number, time, order.geometry);
      this.#screen.weaken(scan, order.sensitivity);
      measured(scan);
    });
  }

  stop(): void {
    this.#rotation?.end();
    this.#rotation = undefined;
    this.#measurement = undefined;
  }

  /** The motion of the scanner at a time (µs of its clock). */
  motion(time: number): Motion {
    return this.#mount.motion(time / 1_000_000);
  }
}

let lastScan: Scan | undefined;

/**
 * A scan that is handed over and then not needed any more. Cores with the same beams share it: with many scanners in a
 * process, it stays in the caches of the processor.
 */
function passingScan(geometry: ScanGeometry): Scan {
  if (lastScan === undefined || !sameGeometry(lastScan.geometry, geometry)) lastScan = new Scan(geometry);
  return lastScan;
}

/** Share of the light that a droplet sends back. */
const dropletRemission = 0.03;

/**
 * The fog along one beam. Its depth at a distance is the sum of density times length up to there: the share exp(-depth)
 * of the light reaches it. One droplet of each beam may give an echo, at a random depth with mean 1.
 */
class FogColumn {
  readonly #densities: Float64Array;
  #crossings: Crossings | undefined;
  #first = 0;
  #count = 0;
  /** Density at the scanner. */
  #begin = 0;

  /** @param densities per m, by fog area */
  constructor(densities: readonly number[]) {
    this.#densities = Float64Array.from(densities);
  }

  /** Takes the fog of a beam; false if there is none. */
  select(crossings: Crossings, beam: number): boolean {
    this.#crossings = crossings;
    this.#first = crossingsPerBeam * beam;
    this.#count = crossings.any ? (crossings.count[beam] ?? 0) : 0;
    this.#begin = 0;
    // A beam ends outside all areas: it began in those that it leaves more often than it enters.
    for (let place = 0; place < this.#count; place++) this.#begin -= this.#change(place);
    return this.#count > 0;
  }

  /** Depth at a distance in m. */
  depthAt(distance: number): number {
    let depth = 0;
    let density = this.#begin;
    let from = 0;
    for (let place = 0; place < this.#count; place++) {
      const to = this.#distance(place);
      if (to >= distance) break;
      depth += Math.max(0, density) * (to - from);
      density += this.#change(place);
      from = to;
    }
    return depth + Math.max(0, density) * (distance - from);
  }

  /** Distance in m of a depth; Infinity if the fog ends before. */
  distanceAt(depth: number): number {
    let left = depth;
    let density = this.#begin;
    let from = 0;
    for (let place = 0; place < this.#count; place++) {
      const to = this.#distance(place);
      const gain = Math.max(0, density) * (to - from);
      if (gain > left) return from + left / density;
      left -= gain;
      density += this.#change(place);
      from = to;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Distance in m of the droplet that gives an echo; Infinity if there is none. */
  droplet(random: RandomNumbers): number {
    return this.distanceAt(random.exponential());
  }

  #distance(place: number): number {
    return this.#crossings?.distance[this.#first + place] ?? 0;
  }

  /** By how much the density changes at a crossing. */
  #change(place: number): number {
    const at = this.#first + place;
    const area = this.#crossings?.of[at] ?? 0;
    return (this.#crossings?.sign[at] ?? 0) * (this.#densities[area] ?? 0);
  }
}

/** Measures scans in a scene. All arrays are made once. */
export class SceneMeasurement {
  readonly #seed: number;
  readonly #world: World;
  readonly #mount: ScannerMount;
  readonly #caster: RayCaster;
  readonly #fog: FogColumn;
  readonly #random = new RandomNumbers();
  readonly #receiver: EchoReceiver;
  readonly #surfaceEchoes: SurfaceEchoes;
  readonly #pose: Pose = { x: 0.5, y: 0.5, heading: 0.5 };

  constructor(
    scene: Scene,
    seed: number,
    order: Pick<MeasuringOrder, 'geometry' | 'sensitivity' | 'longRange'>,
    caster = new RayCaster(order.geometry),
  ) {
    this.#seed = seed;
    this.#world = new World(scene);
    this.#mount = new ScannerMount(scene.scanner);
    this.#caster = caster;
    this.#fog = new FogColumn(this.#world.densities);
    const detection = detectionOf(order);
    const noise = new Noise(scene.noise);
    this.#receiver = new EchoReceiver(detection, noise, this.#random);
    this.#surfaceEchoes = new SurfaceEchoes(order.geometry.beams, detection, noise, this.#random);
  }

  /** Measures one scan, with everything where it is when the scan begins. `scan` has its number and time. */
  measure(scan: Scan): void {
    const time = scan.time / 1_000_000;
    this.#mount.pose(time, this.#pose);
    this.#world.cast(this.#caster, this.#pose, time);
    this.#random.begin(this.#seed, scan.number);
    if (this.#caster.glass.any || this.#caster.fog.any) this.#measureBeams(scan);
    else this.#surfaceEchoes.write(scan, this.#caster, this.#world.surfaces);
  }

  #measureBeams(scan: Scan): void {
    scan.clear();
    const { beams } = scan.geometry;
    for (let beam = 0; beam < beams; beam++) {
      this.#measureBeam(beam);
      this.#receiver.write(scan, beam);
    }
  }

  /** Follows the light of a beam through glass and fog to the opaque surface that ends it. */
  #measureBeam(beam: number): void {
    const { nearness, cosine, material, glass, fog } = this.#caster;
    const { remission, transparency, reflector } = this.#world.surfaces;
    const inverse = nearness[beam] ?? 0;
    const end = inverse > 0 ? 1 / inverse : Number.POSITIVE_INFINITY;
    const foggy = fog.any && this.#fog.select(fog, beam);
    let droplet = foggy ? this.#fog.droplet(this.#random) : Number.POSITIVE_INFINITY;
    let through = 1;
    const first = crossingsPerBeam * beam;
    const panes = glass.any ? (glass.count[beam] ?? 0) : 0;
    for (let place = first; place < first + panes; place++) {
      const distance = glass.distance[place] ?? 0;
      if (distance >= end) break;
      if (droplet < distance) {
        this.#receiveDroplet(droplet, through);
        droplet = Number.POSITIVE_INFINITY;
      }
      const of = glass.of[place] ?? 0;
      this.#receive(
        distance,
        glass.cosine[place] ?? 0,
        remission[of] ?? 0,
        reflector[of] === 1,
        through,
        foggy,
      );
      through *= transparency[of] ?? 0;
    }
    if (droplet < end) this.#receiveDroplet(droplet, through);
    if (inverse === 0) return;
    const of = material[beam] ?? 0;
    this.#receive(end, cosine[beam] ?? 0, remission[of] ?? 0, reflector[of] === 1, through, foggy);
  }

  #receiveDroplet(distance: number, through: number): void {
    this.#receive(distance, 1, dropletRemission, false, through, true);
  }

  /** Light passes twice through what is in front of a surface. */
  #receive(
    distance: number,
    cosine: number,
    remission: number,
    reflector: boolean,
    through: number,
    foggy: boolean,
  ): void {
    const left = foggy ? through * Math.exp(-this.#fog.depthAt(distance)) : through;
    const strength = signalStrength(remission, reflector, cosine, distance) * left * left;
    this.#receiver.receive(distance, strength, reflector);
  }
}
