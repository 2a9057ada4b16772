import { fieldOfView, layoutOf, type ProfileFacts, SensitivityMode } from '@azimuth/model';
import { echoProperty } from '@azimuth/telegrams/encode';

/** The beams of a scan. Angles in degrees, counter-clockwise, 0 straight ahead. */
export interface ScanGeometry {
  /** Revolutions per second, in Hz. */
  readonly frequency: number;
  /** Angle of the first beam. */
  readonly firstAngle: number;
  /** Angle from one beam to the next. */
  readonly step: number;
  /** Beams of a scan. */
  readonly beams: number;
  /** Beams of a segment; the last one may have fewer. */
  readonly beamsPerSegment: number;
}

/** The beams of a performance profile. */
export function geometryOf(profile: ProfileFacts): ScanGeometry {
  const { beamsPerDegree, beams, beamsPerSegment } = layoutOf(profile);
  return {
    frequency: profile.frequency / 100,
    firstAngle: fieldOfView.minimum / 10_000,
    step: 1 / beamsPerDegree,
    beams,
    beamsPerSegment,
  };
}

export const radPerDegree = Math.PI / 180;

/** Angle of a beam in degrees. */
export function angleOf({ firstAngle, step }: ScanGeometry, beam: number): number {
  return firstAngle + beam * step;
}

/**
 * The directions of the beams of a scan in the coordinates of the scanner: unit vectors, x ahead and y to the left. An echo at
 * distance d is at d times the direction. Another geometry makes a new object.
 */
export interface BeamFan {
  readonly geometry: ScanGeometry;
  /** One number for each beam. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Computes the directions of the beams of a geometry. Compute them once for each geometry, not for each scan.
 * @returns `x` (ahead) and `y` (to the left) of a unit vector for each beam: an echo at distance d is at d times the vector
 */
export function beamFan(geometry: ScanGeometry): BeamFan {
  const x = new Float64Array(geometry.beams);
  const y = new Float64Array(geometry.beams);
  for (let beam = 0; beam < geometry.beams; beam++) {
    const angle = angleOf(geometry, beam) * radPerDegree;
    x[beam] = Math.cos(angle);
    y[beam] = Math.sin(angle);
  }
  return { geometry, x, y };
}

/** Time from one beam to the next in µs. The mirror rotates at constant speed, also through the blind sector. */
export function beamInterval({ frequency, step }: ScanGeometry): number {
  return (1_000_000 * step) / (360 * frequency);
}

/** True if two geometries have the same beams. */
export function sameGeometry(one: ScanGeometry, other: ScanGeometry): boolean {
  return (
    one === other ||
    (one.frequency === other.frequency &&
      one.firstAngle === other.firstAngle &&
      one.step === other.step &&
      one.beams === other.beams &&
      one.beamsPerSegment === other.beamsPerSegment)
  );
}

/** Places for echoes of each beam. */
export const echoesPerBeam = 3;

/** Properties of an echo: bits of Scan.flags, the same as in telegrams. `reflector` is 1, `blooming` is 2. */
export const EchoFlag = echoProperty;

/**
 * The weakest signal (RSSI) of an echo, by sensitivity. A surface of 10 % remission is visible straight ahead up to
 * 25.1 m, 34.8 m and 45.7 m.
 */
export const weakestEcho: Readonly<Record<(typeof SensitivityMode)[keyof typeof SensitivityMode], number>> = {
  [SensitivityMode.MAXIMUM_ROBUSTNESS]: 900,
  [SensitivityMode.STANDARD]: 500,
  [SensitivityMode.MAXIMUM_DETECTIVITY]: 300,
};

/**
 * The data of one revolution of the mirror. A beam has three places in each array, `3 * beam + echo`: the nearest echo
 * first, no gap between two echoes, and 0 in all arrays where there is no echo. A scan is reused for every revolution.
 */
export class Scan {
  /** The beams of this scan. A scan with other beams is another object. */
  readonly geometry: ScanGeometry;
  /** Number of the revolution. Revolutions that are not measured count, too. */
  number = 0;
  /** Time at which its first beam was measured: µs of the scanner's clock. */
  time = 0;
  /** Distances in mm. */
  readonly distance: Float32Array;
  /** Signal strength, 0 to 65535. */
  readonly rssi: Uint16Array;
  /** Properties of each echo: bits of {@link EchoFlag}. */
  readonly flags: Uint8Array;
  /**
   * 1 for each beam with impossible values. The scanner sets it. Such a beam has no echo, and results that need it are
   * unknown.
   */
  readonly invalid: Uint8Array;
  /** Number of invalid beams. */
  invalidBeams = 0;
  /** No beam has more echoes than this: the places behind them are 0. The scanner sets it if it knows that. */
  mostEchoes: number = echoesPerBeam;
  /** False if all flags are 0. The scanner sets it if it knows that. */
  hasFlags: boolean;

  /** Creates a scan without echoes, with arrays for all beams of a geometry. */
  constructor(geometry: ScanGeometry) {
    this.geometry = geometry;
    const places = geometry.beams * echoesPerBeam;
    this.distance = new Float32Array(places);
    this.rssi = new Uint16Array(places);
    this.flags = new Uint8Array(places);
    this.invalid = new Uint8Array(geometry.beams);
    this.hasFlags = true;
  }

  /** Removes the echoes of all beams, or of those from `first` up to, but not including, `end`. */
  clear(first = 0, end: number = this.geometry.beams): void {
    this.distance.fill(0, first * echoesPerBeam, end * echoesPerBeam);
    this.rssi.fill(0, first * echoesPerBeam, end * echoesPerBeam);
    this.flags.fill(0, first * echoesPerBeam, end * echoesPerBeam);
  }

  /** Copies the values of another scan with the same geometry. All beams count as valid then. */
  copy(other: Scan): void {
    this.begin(other);
    this.copyBeams(other, 0, this.geometry.beams);
  }

  /** Takes number and time of another scan. All beams count as valid then. */
  begin({ number, time }: Scan): void {
    this.number = number;
    this.time = time;
    if (this.invalidBeams > 0) this.invalid.fill(0);
    this.invalidBeams = 0;
  }

  /** Copies the echoes of the beams from `first` up to, but not including, `end`. The other arrays may be of any type. */
  copyBeams({ distance, rssi, flags }: Scan, first: number, end: number): void {
    if (first === 0 && end === this.geometry.beams) {
      this.distance.set(distance);
      this.rssi.set(rssi);
      this.flags.set(flags);
      return;
    }
    const behind = end * echoesPerBeam;
    for (let place = first * echoesPerBeam; place < behind; place++) {
      this.distance[place] = distance[place] ?? 0;
      this.rssi[place] = rssi[place] ?? 0;
      this.flags[place] = flags[place] ?? 0;
    }
  }

  /** Marks a beam as invalid, and removes its echoes. */
  invalidate(beam: number): void {
    this.clear(beam, beam + 1);
    if (this.invalid[beam] === 1) return;
    this.invalid[beam] = 1;
    this.invalidBeams += 1;
  }
}

/** True if any of these beams is invalid. */
export function someInvalid({ invalid, invalidBeams }: Scan, beams: ArrayLike<number>): boolean {
  if (invalidBeams === 0) return false;
  for (let at = 0; at < beams.length; at++) if (invalid[beams[at] ?? 0] === 1) return true;
  return false;
}

/** A signal strength has 8 bits; in 16 bits, both bytes are equal. */
const perStep = 257;
/** Half of a step, rounded down. */
const halfStep = 128;
/** The step that marks a reflector. The step above it is reserved. */
const reflectorStep = 254;

/**
 * Changes the signal strengths of the beams from `first` up to, but not including, `end` to values of telegrams: 257 × n. For an echo, n is the value from 1 to 253
 * that is nearest to its strength. For an echo of a reflector, n is 254 if the release marks reflectors. An echo of
 * unknown strength has 0.
 */
export function roundStrengths(
  { geometry, rssi, flags, mostEchoes }: Scan,
  marksReflectors: boolean,
  first = 0,
  end = geometry.beams,
): void {
  const behind = end * echoesPerBeam;
  for (let echo = 0; echo < mostEchoes; echo++)
    roundPlaces(rssi, flags, first * echoesPerBeam + echo, behind, marksReflectors);
}

/** Rounds the strengths of one echo of each beam: at every third place from `begin` on. */
function roundPlaces(
  rssi: Uint16Array,
  flags: Uint8Array,
  begin: number,
  behind: number,
  marksReflectors: boolean,
): void {
  for (let place = begin; place < behind; place += echoesPerBeam)
    if (rssi[place] !== 0) rssi[place] = rounded(rssi[place] ?? 0, flags[place] ?? 0, marksReflectors);
}

function rounded(strength: number, flag: number, marksReflectors: boolean): number {
  if (marksReflectors && (flag & EchoFlag.reflector) !== 0) return perStep * reflectorStep;
  const step = ((strength + halfStep) / perStep) | 0;
  return perStep * (step < 1 ? 1 : step < reflectorStep ? step : reflectorStep - 1);
}

/** The 8 bits of a signal strength in 16 bits. */
export function strengthStep(rssi: number): number {
  return (rssi / perStep) | 0;
}
