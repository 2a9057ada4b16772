import type { ValueOf } from '@azimuth/model';
import { type BeamDirections, beamDirections } from '../mounting-position/beam-directions.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import { type ScanGeometry, sameGeometry } from '../scan/scan-geometry.js';
import type { MotionSource, Movement } from './movement.js';
import { PointCloud } from './point-cloud.js';

/**
 * Scans put together as one cloud, in the coordinates that the machine had when the recording began. All beams of a scan
 * are taken from where the machine was at its first beam, as scenes are measured.
 */
export class Recording {
  readonly cloud: PointCloud;
  /** Scans that are in the cloud. */
  scans = 0;
  readonly #motion: MotionSource;
  readonly #position: ValueOf<'SensorPosition'>;
  #geometry: ScanGeometry | undefined;
  #directions: BeamDirections = { x: new Float64Array(), y: new Float64Array(), z: new Float64Array() };

  /**
   * Begins now.
   * @param mostPoints that its cloud takes; the usual number where none is stated
   */
  constructor(motion: MotionSource, position: ValueOf<'SensorPosition'>, mostPoints?: number) {
    this.cloud = new PointCloud(mostPoints);
    this.#motion = motion;
    this.#position = position;
    motion.sample();
  }

  /** Takes a scan when its last beam was measured. One whose first beam is from before the recording is left out. */
  take(scan: Scan): void {
    this.#motion.sample();
    const movement = this.#motion.at(scan.time);
    if (movement === undefined) return;
    this.#aim(scan.geometry);
    this.scans += 1;
    this.#add(scan, movement);
  }

  #add({ geometry, distance, rssi }: Scan, { turn, shift }: Movement): void {
    const [a, b, c, d, e, f, g, h, i] = turn;
    const [shiftX, shiftY, shiftZ] = shift;
    const { x, y, z } = this.#directions;
    const from = this.#position;
    for (let beam = 0; beam < geometry.beams; beam++) {
      for (let place = beam * echoesPerBeam; place < (beam + 1) * echoesPerBeam; place++) {
        const far = distance[place] ?? 0;
        if (far === 0) break;
        const px = from.x + far * (x[beam] ?? 0);
        const py = from.y + far * (y[beam] ?? 0);
        const pz = from.z + far * (z[beam] ?? 0);
        this.cloud.add(
          (a * px + b * py + c * pz + shiftX) / 1000,
          (d * px + e * py + f * pz + shiftY) / 1000,
          (g * px + h * py + i * pz + shiftZ) / 1000,
          rssi[place] ?? 0,
        );
      }
    }
  }

  #aim(geometry: ScanGeometry): void {
    if (this.#geometry !== undefined && sameGeometry(this.#geometry, geometry)) return;
    this.#geometry = geometry;
    this.#directions = beamDirections(geometry, this.#position);
  }
}

/** Beams a second above which a recording is short: the profiles from 40 Hz on, and those finer than 0.25°. */
const many = 40_000;

/** ms. */
const short = 15_000;
const long = 30_000;

/** How long a recording may be, in ms: 15 s where many beams are measured, else 30 s (reference of devices). */
export function longestRecording({ beams, frequency }: ScanGeometry): number {
  return beams * frequency > many ? short : long;
}
