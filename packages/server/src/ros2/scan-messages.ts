import { angleOf, EchoFlag, echoesPerBeam, type Scan } from '@azimuth/device';
import { beamInterval, radPerDegree } from '@azimuth/device/cores';
import { type BeamRange, beamDirections, type ScanContent } from '@azimuth/device/ros2';
import {
  encodeLaserScan,
  encodeMultiEchoLaserScan,
  type Header,
  laserScanBytes,
  multiEchoLaserScanBytes,
  PointCloudWriter,
  pointCloudBytes,
  type ScanFacts,
  scanValues,
} from '@azimuth/telegrams/ros2';

/** Returns a buffer of at least this size. */
type BufferOf = (bytes: number) => Uint8Array;

/** Selection of the echoes that become points of a cloud. */
export interface Choice {
  /** One echo of each beam, from 0; all if it is left out. */
  readonly echo?: number | undefined;
  /** True for echoes of reflectors only. */
  readonly reflectorsOnly?: boolean;
}

const metres = 0.001;
const { rangeMin, strongest, ofReflector } = scanValues;

/**
 * Makes the messages of ROS 2 from scans, or from a part of each. Values that are the same in each scan are computed
 * once.
 */
export class ScanMessages {
  /** Time (µs) from the first beam of a scan to the first beam that is published. */
  readonly firstBeamAfter: number;
  readonly #echoes: number;
  /** Numbers of the beams that are published. */
  readonly #beams: Int32Array;
  /** Directions of the beams after SensorPosition, and position of the scanner in m. */
  readonly #directions: { readonly x: Float64Array; readonly y: Float64Array; readonly z: Float64Array };
  readonly #origin: readonly [number, number, number];
  readonly #facts: Omit<ScanFacts, keyof Header>;
  readonly #ranges: Float32Array;
  readonly #intensities: Float32Array;
  readonly #counts: Uint8Array;
  readonly #cloud = new PointCloudWriter();
  /** Farthest distance that is published, in mm. */
  readonly #farthest: number;

  /** @param part the beams of a segment; all if it is left out */
  constructor(content: ScanContent, part: BeamRange = content.visible) {
    const { geometry, increment, echoes, every, rangeMax, position } = content;
    const beams = publishedBeams(content, part);
    const angleAt = (place: number) => angleOf(geometry, beams.at(place) ?? 0) * radPerDegree;
    this.#echoes = echoes;
    this.#farthest = Math.round(rangeMax / metres);
    this.#beams = beams;
    this.#directions = beamDirections(geometry, position);
    this.#origin = [position.x * metres, position.y * metres, position.z * metres];
    this.#facts = {
      angleMin: angleAt(0),
      angleMax: angleAt(-1),
      angleIncrement: geometry.step * increment * radPerDegree,
      timeIncrement: (beamInterval(geometry) / 1_000_000) * increment,
      scanTime: every / geometry.frequency,
      rangeMin,
      rangeMax,
    };
    this.#ranges = new Float32Array(beams.length * echoes);
    this.#intensities = new Float32Array(beams.length * echoes);
    this.#counts = new Uint8Array(beams.length);
    this.firstBeamAfter = (beams[0] ?? 0) * beamInterval(geometry);
  }

  /** Makes a LaserScan of one echo of each beam, from 0. */
  laserScan(scan: Scan, echo: number, header: Header, bufferOf: BufferOf): Uint8Array {
    const count = this.#beams.length;
    const ranges = this.#ranges.subarray(0, count);
    const intensities = this.#intensities.subarray(0, count);
    for (let index = 0; index < count; index++) {
      const at = (this.#beams[index] ?? 0) * echoesPerBeam + echo;
      const hasEcho = this.#isValid(scan, at);
      ranges[index] = hasEcho ? (scan.distance[at] ?? 0) * metres : Number.POSITIVE_INFINITY;
      intensities[index] = hasEcho ? intensityOf(scan, at) : 0;
    }
    const message = { ...header, ...this.#facts, ranges, intensities };
    return encodeLaserScan(message, bufferOf(laserScanBytes(message, count)));
  }

  /** Makes a MultiEchoLaserScan of all echoes of each beam. A beam that saw nothing has none. */
  multiEcho(scan: Scan, header: Header, bufferOf: BufferOf): Uint8Array {
    const places = this.#echoes;
    const counts = this.#counts;
    let echoes = 0;
    for (let index = 0; index < counts.length; index++) {
      const from = (this.#beams[index] ?? 0) * echoesPerBeam;
      const to = index * places;
      let count = 0;
      for (let at = from; at < from + places; at++) {
        if (!this.#isValid(scan, at)) continue;
        this.#ranges[to + count] = (scan.distance[at] ?? 0) * metres;
        this.#intensities[to + count] = intensityOf(scan, at);
        count += 1;
      }
      counts[index] = count;
      echoes += count;
    }
    const facts = { ...header, ...this.#facts };
    const message = { ...facts, places, counts, ranges: this.#ranges, intensities: this.#intensities };
    return encodeMultiEchoLaserScan(message, bufferOf(multiEchoLaserScanBytes(facts, counts.length, echoes)));
  }

  /** Makes a PointCloud2 of echoes, moved by SensorPosition. */
  pointCloud(scan: Scan, choice: Choice, header: Header, bufferOf: BufferOf): Uint8Array {
    let points = 0;
    this.#forEach(scan, choice, () => {
      points += 1;
    });
    const cloud = this.#cloud;
    const { x, y, z } = this.#directions;
    const [originX, originY, originZ] = this.#origin;
    cloud.begin(header, bufferOf(pointCloudBytes(header, points)));
    this.#forEach(scan, choice, (at, beam) => {
      const range = (scan.distance[at] ?? 0) * metres;
      cloud.point(
        originX + range * (x[beam] ?? 0),
        originY + range * (y[beam] ?? 0),
        originZ + range * (z[beam] ?? 0),
        (scan.rssi[at] ?? 0) / strongest,
        isReflector(scan, at),
      );
    });
    return cloud.end();
  }

  /** Calls `visit` with the index of each valid selected echo, and with its beam. */
  #forEach(
    scan: Scan,
    { echo, reflectorsOnly = false }: Choice,
    visit: (at: number, beam: number) => void,
  ): void {
    const [first, end] = echo === undefined ? [0, this.#echoes] : [echo, echo + 1];
    for (const beam of this.#beams) {
      for (let at = beam * echoesPerBeam + first; at < beam * echoesPerBeam + end; at++) {
        if (this.#isValid(scan, at) && (!reflectorsOnly || isReflector(scan, at))) visit(at, beam);
      }
    }
  }

  /** Returns true if there is an echo, and not beyond range_max. */
  #isValid({ distance }: Scan, at: number): boolean {
    const millimetres = distance[at] ?? 0;
    return millimetres > 0 && millimetres <= this.#farthest;
  }
}

/** Returns the visible beams of a part, every n-th counted from the first visible beam of the scan. */
function publishedBeams({ visible, increment }: ScanContent, part: BeamRange): Int32Array {
  const before = Math.max(0, Math.ceil((part.first - visible.first) / increment));
  const first = visible.first + before * increment;
  const count = Math.max(0, Math.ceil((Math.min(part.end, visible.end) - first) / increment));
  return Int32Array.from({ length: count }, (_, index) => first + index * increment);
}

function isReflector({ flags }: Scan, at: number): boolean {
  return ((flags[at] ?? 0) & EchoFlag.reflector) !== 0;
}

/** Returns the intensity of an echo in scans. */
function intensityOf(scan: Scan, at: number): number {
  return isReflector(scan, at) ? ofReflector : (scan.rssi[at] ?? 0) / strongest;
}
