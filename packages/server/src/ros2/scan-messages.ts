import { angleOf, beamInterval, EchoFlag, echoesPerBeam, radPerDegree, type Scan } from '@azimuth/device';
import type { ScanContent } from '@azimuth/device/ros2';
import {
  encodeLaserScan,
  encodeMultiEchoLaserScan,
  type Header,
  laserScanBytes,
  multiEchoLaserScanBytes,
  PointCloudWriter,
  pointCloudBytes,
  type ScanFacts,
} from '@azimuth/telegrams/ros2';

/** Gives a buffer of at least this size. */
type BufferOf = (bytes: number) => Uint8Array;

/** The nearest distance that the scanner reports, in m. */
const rangeMin = 0.05;
const metres = 0.001;

/** Makes the messages of ROS 2 from whole scans. What stays the same in each scan is computed once. */
export class ScanMessages {
  /** µs from the first beam of a scan to the first beam that is published. */
  readonly firstBeamAfter: number;
  readonly #content: ScanContent;
  /** The numbers of the beams that are published. */
  readonly #beams: Int32Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #facts: Omit<ScanFacts, keyof Header>;
  readonly #ranges: Float32Array;
  readonly #intensities: Float32Array;
  readonly #counts: Uint8Array;
  readonly #cloud = new PointCloudWriter();
  /** The farthest distance that is published, in mm. */
  readonly #farthest: number;

  constructor(content: ScanContent) {
    const { geometry, visible, increment, echoes, every, rangeMax } = content;
    const count = Math.ceil((visible.end - visible.first) / increment);
    const angles = Array.from(
      { length: count },
      (_, index) => angleOf(geometry, visible.first + index * increment) * radPerDegree,
    );
    const interval = beamInterval(geometry) / 1_000_000;
    this.#content = content;
    this.#farthest = Math.round(rangeMax / metres);
    this.#beams = Int32Array.from({ length: count }, (_, index) => visible.first + index * increment);
    this.#cosines = Float64Array.from(angles, Math.cos);
    this.#sines = Float64Array.from(angles, Math.sin);
    this.#facts = {
      angleMin: angles.at(0) ?? 0,
      angleMax: angles.at(-1) ?? 0,
      angleIncrement: geometry.step * increment * radPerDegree,
      timeIncrement: interval * increment,
      scanTime: every / geometry.frequency,
      rangeMin,
      rangeMax,
    };
    this.#ranges = new Float32Array(count * echoes);
    this.#intensities = new Float32Array(count * echoes);
    this.#counts = new Uint8Array(count);
    this.firstBeamAfter = visible.first * beamInterval(geometry);
  }

  /** How many beams are published. */
  get beams(): number {
    return this.#beams.length;
  }

  /** One echo of each beam, from 0, as a LaserScan. */
  laserScan({ distance, rssi }: Scan, echo: number, header: Header, bufferOf: BufferOf): Uint8Array {
    const count = this.#beams.length;
    const ranges = this.#ranges.subarray(0, count);
    const intensities = this.#intensities.subarray(0, count);
    for (let index = 0; index < count; index++) {
      const at = (this.#beams[index] ?? 0) * echoesPerBeam + echo;
      const millimetres = distance[at] ?? 0;
      const isThere = this.#isInRange(millimetres);
      ranges[index] = isThere ? millimetres * metres : Number.POSITIVE_INFINITY;
      intensities[index] = isThere ? (rssi[at] ?? 0) : 0;
    }
    const message = { ...header, ...this.#facts, ranges, intensities };
    return encodeLaserScan(message, bufferOf(laserScanBytes(message, count)));
  }

  /** All echoes of each beam as a MultiEchoLaserScan. A beam that saw nothing has one echo, at infinity. */
  multiEcho({ distance, rssi }: Scan, header: Header, bufferOf: BufferOf): Uint8Array {
    const places = this.#content.echoes;
    const counts = this.#counts;
    let echoes = 0;
    for (let index = 0; index < counts.length; index++) {
      const from = (this.#beams[index] ?? 0) * echoesPerBeam;
      const to = index * places;
      let count = 0;
      for (let echo = 0; echo < places; echo++) {
        const millimetres = distance[from + echo] ?? 0;
        if (!this.#isInRange(millimetres)) continue;
        this.#ranges[to + count] = millimetres * metres;
        this.#intensities[to + count] = rssi[from + echo] ?? 0;
        count += 1;
      }
      if (count === 0) {
        this.#ranges[to] = Number.POSITIVE_INFINITY;
        this.#intensities[to] = 0;
      }
      counts[index] = Math.max(1, count);
      echoes += Math.max(1, count);
    }
    const facts = { ...header, ...this.#facts };
    const message = { ...facts, places, counts, ranges: this.#ranges, intensities: this.#intensities };
    return encodeMultiEchoLaserScan(message, bufferOf(multiEchoLaserScanBytes(facts, counts.length, echoes)));
  }

  /** All echoes as a PointCloud2, in the frame of the scanner: x ahead, y left, z up. */
  pointCloud({ distance, rssi, flags }: Scan, header: Header, bufferOf: BufferOf): Uint8Array {
    const { echoes } = this.#content;
    const count = this.#beams.length;
    let points = 0;
    for (const beam of this.#beams) {
      for (let echo = 0; echo < echoes; echo++) {
        if (this.#isInRange(distance[beam * echoesPerBeam + echo] ?? 0)) points += 1;
      }
    }
    const cloud = this.#cloud;
    const nanoseconds = this.#facts.timeIncrement * 1_000_000_000;
    cloud.begin(header, bufferOf(pointCloudBytes(header, points)));
    for (let index = 0; index < count; index++) {
      const from = (this.#beams[index] ?? 0) * echoesPerBeam;
      const timeOffset = Math.round(index * nanoseconds);
      const cosine = this.#cosines[index] ?? 0;
      const sine = this.#sines[index] ?? 0;
      for (let echo = 0; echo < echoes; echo++) {
        const millimetres = distance[from + echo] ?? 0;
        if (!this.#isInRange(millimetres)) continue;
        const range = millimetres * metres;
        const isReflector = ((flags[from + echo] ?? 0) & EchoFlag.reflector) !== 0;
        const intensity = rssi[from + echo] ?? 0;
        cloud.point(range * cosine, range * sine, 0, intensity, timeOffset, echo, isReflector);
      }
    }
    return cloud.end();
  }

  /** Is there an echo, and not beyond range_max? */
  #isInRange(millimetres: number): boolean {
    return millimetres > 0 && millimetres <= this.#farthest;
  }
}
