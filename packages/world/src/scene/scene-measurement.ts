import type { MeasuringOrder, Scan } from '@azimuth/device';
import { crossingsPerBeam } from './crossings.js';
import { type Detection, detectionOf, Noise, signalStrength } from './detection.js';
import { EchoReceiver, writeSurfaceEchoes } from './echoes.js';
import { dropletRemission, FogColumn } from './fog-column.js';
import type { Pose } from './pose.js';
import { RandomNumbers } from './random-numbers.js';
import { RayCaster } from './ray-caster.js';
import { ScannerMount } from './scanner-mount.js';
import type { Scene } from './scene-file.js';
import { World } from './world.js';

/** Measures turns in a scene. Whatever a turn needs is made once. */
export class SceneMeasurement {
  readonly #seed: number;
  readonly #world: World;
  readonly #mount: ScannerMount;
  readonly #caster: RayCaster;
  readonly #fog: FogColumn;
  readonly #random = new RandomNumbers();
  readonly #detection: Detection;
  readonly #noise: Noise;
  readonly #receiver: EchoReceiver;
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
    this.#detection = detectionOf(order);
    this.#noise = new Noise(scene.noise);
    this.#receiver = new EchoReceiver(this.#detection, this.#noise, this.#random);
  }

  /** Measures one turn, with everything where it is at the beginning of the turn. `scan` says which it is and when. */
  measure(scan: Scan): void {
    const time = scan.time / 1_000_000;
    this.#mount.pose(time, this.#pose);
    this.#world.cast(this.#caster, this.#pose, time);
    this.#random.begin(this.#seed, scan.number);
    scan.clear();
    if (this.#caster.glass.any || this.#caster.fog.any) this.#measureAll(scan);
    else {
      const { surfaces } = this.#world;
      writeSurfaceEchoes(scan, this.#caster, surfaces, this.#detection, this.#noise, this.#random);
    }
  }

  #measureAll(scan: Scan): void {
    const { beams } = scan.geometry;
    for (let beam = 0; beam < beams; beam++) {
      this.#look(beam);
      this.#receiver.write(scan, beam);
    }
  }

  /** Follows the light of a beam through glass and fog to the first surface that ends it. */
  #look(beam: number): void {
    const { nearness, cosine, material, glass, fog } = this.#caster;
    const { remission, transparency, reflector } = this.#world.surfaces;
    const inverse = nearness[beam] ?? 0;
    const end = inverse > 0 ? 1 / inverse : Number.POSITIVE_INFINITY;
    const foggy = fog.any && this.#fog.look(fog, beam);
    let droplet = foggy ? this.#fog.droplet(this.#random) : Number.POSITIVE_INFINITY;
    let through = 1;
    const first = crossingsPerBeam * beam;
    const panes = glass.any ? (glass.count[beam] ?? 0) : 0;
    for (let place = first; place < first + panes; place++) {
      const distance = glass.distance[place] ?? 0;
      if (distance >= end) break;
      if (droplet < distance) {
        this.#takeDroplet(droplet, through);
        droplet = Number.POSITIVE_INFINITY;
      }
      const of = glass.of[place] ?? 0;
      this.#take(distance, glass.cosine[place] ?? 0, remission[of] ?? 0, reflector[of] === 1, through, foggy);
      through *= transparency[of] ?? 0;
    }
    if (droplet < end) this.#takeDroplet(droplet, through);
    if (inverse === 0) return;
    const of = material[beam] ?? 0;
    this.#take(end, cosine[beam] ?? 0, remission[of] ?? 0, reflector[of] === 1, through, foggy);
  }

  #takeDroplet(distance: number, through: number): void {
    this.#take(distance, 1, dropletRemission, false, through, true);
  }

  /** Light passes what is in front of a surface twice. */
  #take(
    distance: number,
    cosine: number,
    remission: number,
    reflector: boolean,
    through: number,
    foggy: boolean,
  ): void {
    const left = foggy ? through * Math.exp(-this.#fog.depthAt(distance)) : through;
    const strength = signalStrength(remission, reflector, cosine, distance) * left * left;
    this.#receiver.take(distance, strength, reflector);
  }
}
