import { SensitivityMode } from '@azimuth/model';
import type { ScanGeometry } from './scan-geometry.js';

/** Places for echoes of a beam. */
export const echoesPerBeam = 3;

/** What is known of an echo beside its distance and strength: bits of Scan.flags. */
export const EchoFlag = { reflector: 1, blooming: 2 } as const;

/**
 * The weakest signal (RSSI) that is an echo, by sensitivity. A surface of 10 % remission is seen straight ahead up to
 * 25.1 m, 34.8 m and 45.7 m.
 */
export const weakestEcho: Readonly<Record<(typeof SensitivityMode)[keyof typeof SensitivityMode], number>> = {
  [SensitivityMode.MAXIMUM_ROBUSTNESS]: 900,
  [SensitivityMode.STANDARD]: 500,
  [SensitivityMode.MAXIMUM_DETECTIVITY]: 300,
};

/**
 * One turn of the mirror. A beam has three places in each array, `3 * beam + echo`: the nearest echo first, no gap
 * between two echoes, distance 0 where there is none (strength and flags are 0 there, too). Made once, used for every
 * turn.
 */
export class Scan {
  readonly geometry: ScanGeometry;
  /** Counts the turns, those that nobody looked at included. */
  number = 0;
  /** When its first beam was measured: µs of the scanner's clock. */
  time = 0;
  /** mm. */
  readonly distance: Float32Array;
  /** Signal strength, 0 to 65535. */
  readonly rssi: Uint16Array;
  readonly flags: Uint8Array;

  constructor(geometry: ScanGeometry) {
    this.geometry = geometry;
    const places = geometry.beams * echoesPerBeam;
    this.distance = new Float32Array(places);
    this.rssi = new Uint16Array(places);
    this.flags = new Uint8Array(places);
  }

  /** Forgets all echoes. */
  clear(): void {
    this.distance.fill(0);
    this.rssi.fill(0);
    this.flags.fill(0);
  }

  /** Takes over what another scan of the same geometry has seen. */
  copy(other: Scan): void {
    this.number = other.number;
    this.time = other.time;
    this.distance.set(other.distance);
    this.rssi.set(other.rssi);
    this.flags.set(other.flags);
  }
}

/** Angle of a beam in degrees. */
export function angleOf({ firstAngle, step }: ScanGeometry, beam: number): number {
  return firstAngle + beam * step;
}
