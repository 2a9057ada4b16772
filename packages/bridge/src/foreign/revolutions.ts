import type { ScanModule, Telegram } from '@azimuth/telegrams';
import { McapError } from '../mcap/index.js';
import type { CloudPoints } from './cloud-points.js';
import { isEcho, type RecordedScan, type ScanBeams } from './recorded-scan.js';

/** A revolution of a recording as telegrams of a scanner have it. Time of reception in µs since 1970. */
export interface RecordedRevolution {
  readonly time: number;
  readonly telegram: Telegram;
}

/** Directions of beams in rad: the beams of the first scan of a recording. */
interface Beams {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

const millimetres = 1000;
const wholeTurn = 2 * Math.PI;

/** Most beams of a scan. */
const mostBeams = 65_536;
/** Smallest angle between beams in rad: 0.01°. */
const smallestStep = wholeTurn / 36_000;
/** Echoes of a beam that are kept, the nearest. */
const mostEchoes = 3;
/** Points of a cloud are seen by a scanner in its plane if they are within this angle of it: 1°. */
const planeSlope = Math.tan(wholeTurn / 360);
/** Angles between the beams that are made of a cloud, in degrees. */
const cloudSteps = [0.05, 0.1, 0.125, 0.25, 1 / 3, 0.5, 1] as const;

/** Makes revolutions of one scanner from scans or clouds. All have the beams of the first one. */
export class Revolutions {
  #beams: Beams | undefined;
  #number = 0;
  /** Intensity that is the strongest signal: 1, 255 or 65535, as far as seen. */
  #strongest = 1;

  /** Returns the next revolution. @throws McapError for a scan without beams, or with beams that no scanner has */
  next({ topic, received, stamp, content }: RecordedScan): RecordedRevolution {
    this.#beams ??= content.kind === 'beams' ? beamsOfScan(content, topic) : beamsOfCloud(content, topic);
    const { first, step, count } = this.#beams;
    const distance = new Float32Array(count * mostEchoes);
    const strength = new Float32Array(count * mostEchoes);
    const put = (angle: number, range: number, intensity: number) => {
      const beam = beamAt(angle, this.#beams ?? { first, step, count });
      if (beam !== undefined) insert(distance, strength, beam, range * millimetres, intensity);
    };
    if (content.kind === 'beams') putBeams(content, put);
    else putPoints(content, put);
    const duration = content.kind === 'beams' ? content.timeIncrement * (content.beams - 1) * 1_000_000 : 0;
    const module: ScanModule = {
      ...{
        segmentIndex: 0,
        frameNumber: this.#number,
        sender: 0,
        rows: 1,
        columns: count,
        echoes: mostEchoes,
      },
      firstBeamTime: [stamp],
      lastBeamTime: [stamp + (duration > 0 && duration < 10_000_000 ? Math.round(duration) : 0)],
      ...{ elevation: [0], firstAzimuth: [first], lastAzimuth: [first + step * (count - 1)] },
      ...{ scale: 1, availability: 0, distance, rssi: this.#rssiOf(strength) },
    };
    const telegram = { sequence: this.#number, transmitTime: stamp, modules: [module] };
    this.#number += 1;
    return { time: received, telegram: { kind: 'scan', format: 'Compact', telegram } };
  }

  /** Programs have strengths up to 1, 255 or 65535: the strongest one up to here shows which. */
  #rssiOf(strength: Float32Array): Uint16Array {
    for (const value of strength) {
      // Reflectors of native ROS 2 have 1.05.
      if (value > 1.05) this.#strongest = Math.max(this.#strongest, value > 255 ? 65_535 : 255);
    }
    const factor = 65_535 / this.#strongest;
    return Uint16Array.from(strength, (value) => Math.min(65_535, Math.max(0, Math.round(value * factor))));
  }
}

function beamsOfScan({ angleMin, angleIncrement, beams }: ScanBeams, topic: string): Beams {
  const step = Math.abs(angleIncrement);
  const last = angleMin + angleIncrement * (beams - 1);
  const isStep = step >= smallestStep && step <= wholeTurn;
  if (!(beams > 1 && beams <= mostBeams && isStep && Math.abs(angleMin) <= 2 * wholeTurn)) {
    throw new McapError(
      `${topic}: expected 2 to ${mostBeams} beams with angles of a scan, got ${beams} from ${angleMin} rad in steps of ${angleIncrement} rad`,
    );
  }
  // A scan of a whole turn may have its first beam twice.
  const count = Math.min(beams, Math.floor(wholeTurn / step) + 1);
  return { first: Math.min(angleMin, last), step, count };
}

/** Returns beams for a whole turn, about as many as the cloud has points in the plane. */
function beamsOfCloud({ points }: CloudPoints, topic: string): Beams {
  let [count, least, most] = [0, wholeTurn, -wholeTurn];
  for (const { x, y, z } of points()) {
    if (!isInPlane(x, y, z)) continue;
    const angle = Math.atan2(y, x);
    [count, least, most] = [count + 1, Math.min(least, angle), Math.max(most, angle)];
  }
  if (count === 0) {
    throw new McapError(
      `${topic}: expected points within 1° of the plane z = 0 of the first cloud, got none`,
    );
  }
  const mean = ((most - least) * 360) / wholeTurn / Math.max(1, count - 1);
  const degrees = cloudSteps.find((step) => step >= 0.9 * mean) ?? 1;
  return { first: -Math.PI, step: (degrees * wholeTurn) / 360, count: Math.round(360 / degrees) };
}

function isInPlane(x: number, y: number, z: number): boolean {
  const range = Math.hypot(x, y);
  return range > 0 && Math.abs(z) <= range * planeSlope;
}

/** Returns the beam nearest to an angle; undefined if there is none. */
function beamAt(angle: number, { first, step, count }: Beams): number | undefined {
  const turned = angle - Math.floor((angle - first + step / 2) / wholeTurn) * wholeTurn;
  const beam = Math.round((turned - first) / step);
  return beam >= 0 && beam < count ? beam : undefined;
}

type Put = (angle: number, range: number, intensity: number) => void;

function putBeams(scan: ScanBeams, put: Put): void {
  const { angleMin, angleIncrement, beams } = scan;
  for (let beam = 0; beam < Math.min(beams, mostBeams); beam++) {
    const ranges = scan.ranges(beam);
    const intensities = scan.intensities(beam);
    for (let echo = 0; echo < Math.min(ranges.length, mostEchoes); echo++) {
      const range = ranges[echo] ?? 0;
      if (isEcho(scan, range)) put(angleMin + angleIncrement * beam, range, intensities[echo] ?? 0);
    }
  }
}

function putPoints({ points }: CloudPoints, put: Put): void {
  for (const { x, y, z, intensity } of points()) {
    if (isInPlane(x, y, z)) put(Math.atan2(y, x), Math.hypot(x, y), intensity);
  }
}

/** Puts an echo into its beam, the nearest first. */
function insert(
  distance: Float32Array,
  strength: Float32Array,
  beam: number,
  mm: number,
  intensity: number,
): void {
  if (!(mm > 0 && mm < Number.POSITIVE_INFINITY)) return;
  let [range, value] = [mm, intensity];
  for (let place = beam * mostEchoes; place < (beam + 1) * mostEchoes; place++) {
    const [otherRange = 0, otherValue = 0] = [distance[place], strength[place]];
    if (otherRange !== 0 && otherRange <= range) continue;
    distance[place] = range;
    strength[place] = value;
    if (otherRange === 0) return;
    [range, value] = [otherRange, otherValue];
  }
}
