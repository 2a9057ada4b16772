import {
  type BeamFan,
  beamFan,
  beamInterval,
  echoesPerBeam,
  type Scan,
  type ScanGeometry,
  sameGeometry,
} from '../scan/scan.js';
import { PointCloud } from './cloud-file.js';
import type { Displacement, MotionSource } from './machine-motion.js';

/**
 * Scans merged into one point cloud, in the coordinates of the scanner at the start of the recording. Each beam is placed by
 * the position of the scanner at its own time.
 */
export class Recording {
  readonly cloud: PointCloud;
  /** Number of scans in the cloud. */
  scans = 0;
  readonly #motion: MotionSource;
  #fan: BeamFan | undefined;

  /**
   * Begins now.
   * @param mostPoints maximum number of points of its cloud; by default the usual one
   */
  constructor(motion: MotionSource, mostPoints?: number) {
    this.cloud = new PointCloud(mostPoints);
    this.#motion = motion;
    motion.sample();
  }

  /** Adds a scan when its last beam was measured. Ignores a scan that began before the recording. */
  addScan(scan: Scan): void {
    this.#motion.sample();
    if (this.#motion.at(scan.time) === undefined) return;
    this.scans += 1;
    const interval = beamInterval(scan.geometry);
    const fan = this.#fanOf(scan.geometry);
    for (let beam = 0; beam < scan.geometry.beams; beam++) {
      if (scan.distance[beam * echoesPerBeam] === 0) continue;
      const displacement = this.#motion.at(scan.time + beam * interval);
      if (displacement !== undefined) this.#addBeam(scan, beam, fan, displacement);
    }
  }

  #addBeam(
    { distance, rssi }: Scan,
    beam: number,
    { x, y }: BeamFan,
    { rotation, translation }: Displacement,
  ): void {
    const [a, b, , d, e, , g, h] = rotation;
    const [translationX, translationY, translationZ] = translation;
    for (let place = beam * echoesPerBeam; place < (beam + 1) * echoesPerBeam; place++) {
      const far = distance[place] ?? 0;
      if (far === 0) return;
      const px = far * (x[beam] ?? 0);
      const py = far * (y[beam] ?? 0);
      this.cloud.add(
        (a * px + b * py + translationX) / 1000,
        (d * px + e * py + translationY) / 1000,
        (g * px + h * py + translationZ) / 1000,
        rssi[place] ?? 0,
      );
    }
  }

  #fanOf(geometry: ScanGeometry): BeamFan {
    if (this.#fan === undefined || !sameGeometry(this.#fan.geometry, geometry)) this.#fan = beamFan(geometry);
    return this.#fan;
  }
}

/**
 * Number of beams per second above which a recording is short: profiles from 40 Hz on, and profiles finer than 0.25°.
 */
const manyBeams = 40_000;

/** ms. */
const shortDuration = 15_000;
const longDuration = 30_000;

/** Longest recording in ms: 15 s if many beams are measured, else 30 s (as devices do). */
export function longestRecording({ beams, frequency }: ScanGeometry): number {
  return beams * frequency > manyBeams ? shortDuration : longDuration;
}
