import type { ValueOf } from '@azimuth/model';
import { type BeamDirections, beamDirections } from '../mounting-position/beam-directions.js';
import { echoesPerBeam, type Scan, type ScanGeometry, sameGeometry } from '../scan/scan.js';
import type { Displacement, MotionSource } from './machine-motion.js';
import { PointCloud } from './point-cloud.js';

/**
 * Scans merged into one point cloud, in the coordinates of the machine when the recording began. All beams of a scan are
 * placed by the position of the machine at its first beam, because scenes are measured so, too.
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
   * @param mostPoints of its cloud; if left out, the usual number
   */
  constructor(motion: MotionSource, position: ValueOf<'SensorPosition'>, mostPoints?: number) {
    this.cloud = new PointCloud(mostPoints);
    this.#motion = motion;
    this.#position = position;
    motion.sample();
  }

  /** Takes a scan when its last beam was measured. A scan that began before the recording is left out. */
  take(scan: Scan): void {
    this.#motion.sample();
    const displacement = this.#motion.at(scan.time);
    if (displacement === undefined) return;
    this.#setGeometry(scan.geometry);
    this.scans += 1;
    this.#add(scan, displacement);
  }

  #add({ geometry, distance, rssi }: Scan, { rotation, translation }: Displacement): void {
    const [a, b, c, d, e, f, g, h, i] = rotation;
    const [translationX, translationY, translationZ] = translation;
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
          (a * px + b * py + c * pz + translationX) / 1000,
          (d * px + e * py + f * pz + translationY) / 1000,
          (g * px + h * py + i * pz + translationZ) / 1000,
          rssi[place] ?? 0,
        );
      }
    }
  }

  #setGeometry(geometry: ScanGeometry): void {
    if (this.#geometry !== undefined && sameGeometry(this.#geometry, geometry)) return;
    this.#geometry = geometry;
    this.#directions = beamDirections(geometry, this.#position);
  }
}

/** Beams per second above which a recording is short: profiles from 40 Hz on, and those finer than 0.25°. */
const manyBeams = 40_000;

/** ms. */
const shortDuration = 15_000;
const longDuration = 30_000;

/** Longest recording in ms: 15 s if many beams are measured, else 30 s (as devices do). */
export function longestRecording({ beams, frequency }: ScanGeometry): number {
  return beams * frequency > manyBeams ? shortDuration : longDuration;
}
