import { type MeasuringCore, type MeasuringOrder, type Motion, Rotation, Scan } from '@azimuth/device';
import { RayCaster } from './ray-caster.js';
import type { Scene } from './scene-file.js';
import { SceneMeasurement } from './scene-measurement.js';
import { ScannerMount } from './timed-path.js';

/**
 * A measuring core that computes its scans from a scene. The same seed and scene give the same scans. Paths begin at
 * the zero of the scanner's clock.
 */
export class SceneCore implements MeasuringCore {
  readonly #seed: number;
  #scene: Scene;
  #mount: ScannerMount;
  #rotation: Rotation | undefined;
  #measurement: SceneMeasurement | undefined;

  /** @param seed of its noise, an integer */
  constructor({ scene, seed }: { scene: Scene; seed: number }) {
    this.#seed = seed;
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
    this.#measurement = undefined;
  }

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.stop();
    const scan = new Scan(order.geometry);
    const caster = new RayCaster(order.geometry);
    this.#rotation = new Rotation(order, (number, time) => {
      this.#measurement ??= new SceneMeasurement(this.#scene, this.#seed, order, caster);
      scan.number = number;
      scan.time = time;
      this.#measurement.measure(scan);
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
