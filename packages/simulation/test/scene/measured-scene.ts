import type { MeasuringOrder } from '@azimuth/device';
import { geometryOf, Scan } from '@azimuth/device';
import { type PerformanceProfile, performanceProfiles, SensitivityMode } from '@azimuth/model';
import type { Pose } from '../../src/motion/pose.js';
import {
  parseScene,
  ScannerMount,
  type Scene,
  type SceneFile,
  SceneMeasurement,
} from '../../src/world/index.js';

export type Profile = (typeof PerformanceProfile)[keyof typeof PerformanceProfile];

/** 50 Hz, 0.25°: 1105 beams. */
export const quarterDegree: Profile = 8;

export const geometryOfProfile = (profile: Profile) => geometryOf(performanceProfiles[profile]);

export interface Conditions {
  readonly profile?: Profile;
  readonly sensitivity?: MeasuringOrder['sensitivity'];
  readonly longRange?: boolean;
  readonly seed?: number;
}

/** A scene without noise, unless the file has settings of noise. */
export function sceneOf(file: SceneFile): Scene {
  return parseScene({ noise: { enabled: false }, ...file }, 'test.json');
}

/** A scanner that stands: m, and radians. */
export function standingAt({ x, y, heading }: Pose): ScannerMount {
  return new ScannerMount({ x, y, heading: (heading * 180) / Math.PI });
}

/** A scene to measure turn by turn. */
export class MeasuredScene {
  readonly scan: Scan;
  readonly #measurement: SceneMeasurement;

  constructor(file: SceneFile, conditions: Conditions = {}) {
    const { profile = quarterDegree, seed = 1 } = conditions;
    const { sensitivity = SensitivityMode.STANDARD, longRange = false } = conditions;
    const geometry = geometryOfProfile(profile);
    this.scan = new Scan(geometry);
    this.#measurement = new SceneMeasurement(sceneOf(file), seed, { geometry, sensitivity, longRange });
  }

  /** Measures the turn of this number, which begins at this time in s. */
  turn(number = 0, time = 0): this {
    this.scan.number = number;
    this.scan.time = time * 1_000_000;
    this.#measurement.measure(this.scan);
    return this;
  }

  /** The beam at this angle in degrees. */
  beamAt(angle: number): number {
    return Math.round((angle - this.scan.geometry.firstAngle) / this.scan.geometry.step);
  }

  /** Distances (m) of the echoes at this angle. */
  distances(angle: number): number[] {
    return this.#echoes(angle).map((place) => (this.scan.distance[place] ?? 0) / 1000);
  }

  strengths(angle: number): number[] {
    return this.#echoes(angle).map((place) => this.scan.rssi[place] ?? 0);
  }

  flags(angle: number): number[] {
    return this.#echoes(angle).map((place) => this.scan.flags[place] ?? 0);
  }

  /** Returns all measured values, to compare them. */
  bytes(): string {
    const { distance, rssi, flags } = this.scan;
    return [distance, rssi, flags].map(({ buffer }) => Buffer.from(buffer).toString('base64')).join();
  }

  #echoes(angle: number): number[] {
    const first = 3 * this.beamAt(angle);
    return [first, first + 1, first + 2].filter((place) => (this.scan.distance[place] ?? 0) > 0);
  }
}
