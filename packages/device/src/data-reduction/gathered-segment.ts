import { azimuthCodesOf, beamProperty } from '@azimuth/telegrams/encode';
import type { OutputSegment } from '../scan/output-segment.js';
import {
  angleOf,
  beamInterval,
  EchoFlag,
  echoesPerBeam,
  radPerDegree,
  type Scan,
  type ScanGeometry,
} from '../scan/scan.js';

/** The properties of a segment that are the same in every scan. */
export interface SegmentLayout {
  readonly index: number;
  readonly last: boolean;
  /** The numbers of its beams in the scan, in ascending order; at least one. */
  readonly putOut: Int32Array;
  /** Places for echoes of each beam: 1 to 3. */
  readonly echoes: number;
  /** mm of one count in formats that send whole numbers. */
  readonly scale: number;
  /** When the last beam is measured, even if it is not put out: µs from the first beam of the scan. */
  readonly dueAfter: number;
}

/** The properties of a beam after one more echo. The reflector bit is that of any echo. */
function withEcho(properties: number, echo: number, flag: number): number {
  const blooming = (flag & EchoFlag.blooming) === 0 ? 0 : 1 << (beamProperty.firstBlooming + echo);
  return properties | (flag & EchoFlag.reflector) | blooming;
}

/**
 * A segment that is put out. It is filled from each scan without allocating memory. If all echoes of consecutive beams
 * are put out, its distances and signal strengths are those of the scan itself: they are not copied.
 */
export class GatheredSegment implements OutputSegment {
  frame = 0;
  firstBeamTime = 0;
  lastBeamTime = 0;
  timeOffset = 0;
  readonly index: number;
  readonly last: boolean;
  readonly beams: number;
  readonly echoes: number;
  readonly scale: number;
  readonly dueAfter: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  distance: Float32Array;
  rssi: Uint16Array;
  readonly properties: Uint8Array;
  readonly azimuth: Float32Array;
  readonly azimuthCodes: Uint16Array;
  readonly #putOut: Int32Array;
  /** The scan that `distance` and `rssi` are parts of, if it is whole. */
  #scan: Scan | undefined;
  /** Whether all echoes of consecutive beams are put out. */
  readonly #isWhole: boolean;
  readonly #firstBeamAfter: number;
  readonly #lastBeamAfter: number;

  constructor(geometry: ScanGeometry, { index, last, putOut, echoes, scale, dueAfter }: SegmentLayout) {
    const interval = beamInterval(geometry);
    const first = putOut.at(0) ?? 0;
    const final = putOut.at(-1) ?? 0;
    const azimuthOf = (beam: number) => angleOf(geometry, beam) * radPerDegree;
    this.index = index;
    this.last = last;
    this.beams = putOut.length;
    this.echoes = echoes;
    this.scale = scale;
    this.dueAfter = dueAfter;
    this.firstAzimuth = azimuthOf(first);
    this.lastAzimuth = azimuthOf(final);
    this.#isWhole = echoes === echoesPerBeam && final - first === putOut.length - 1;
    const copied = this.#isWhole ? 0 : putOut.length * echoes;
    this.distance = new Float32Array(copied);
    this.rssi = new Uint16Array(copied);
    this.properties = new Uint8Array(putOut.length);
    this.azimuth = Float32Array.from(putOut, azimuthOf);
    this.azimuthCodes = azimuthCodesOf(this.azimuth);
    this.#putOut = putOut;
    this.#firstBeamAfter = first * interval;
    this.#lastBeamAfter = final * interval;
  }

  /** Takes the beams of this segment from a scan, which must not change as long as the segment is used. */
  gather(scan: Scan, timeOffset = 0): void {
    this.timeOffset = timeOffset;
    this.frame = scan.number;
    this.firstBeamTime = Math.round(scan.time + this.#firstBeamAfter);
    this.lastBeamTime = Math.round(scan.time + this.#lastBeamAfter);
    if (this.#isWhole) this.#gatherWhole(scan);
    else this.#gatherPlaces(scan);
  }

  /** Without beam increment and echo filter, a segment is one contiguous part of the arrays. */
  #gatherWhole(scan: Scan): void {
    const from = (this.#putOut[0] ?? 0) * echoesPerBeam;
    if (scan !== this.#scan) {
      const to = from + this.beams * echoesPerBeam;
      this.#scan = scan;
      this.distance = scan.distance.subarray(from, to);
      this.rssi = scan.rssi.subarray(from, to);
    }
    const { distance, flags } = scan;
    const { properties, beams } = this;
    for (let column = 0, at = from; column < beams; column++, at += echoesPerBeam) {
      const first = flags[at] ?? 0;
      const second = flags[at + 1] ?? 0;
      const third = flags[at + 2] ?? 0;
      let bits = 0;
      if ((first | second | third) !== 0) {
        bits = withEcho(0, 0, first);
        if (distance[at + 1] !== 0) bits = withEcho(bits, 1, second);
        if (distance[at + 2] !== 0) bits = withEcho(bits, 2, third);
      }
      properties[column] = bits;
    }
  }

  #gatherPlaces({ distance, rssi, flags }: Scan): void {
    const beams = this.#putOut;
    const { echoes, distance: toDistance, rssi: toRssi, properties: toProperties } = this;
    let to = 0;
    for (let column = 0; column < beams.length; column++) {
      let from = (beams[column] ?? 0) * echoesPerBeam;
      let properties = 0;
      for (let echo = 0; echo < echoes; echo++, from++, to++) {
        toDistance[to] = distance[from] ?? 0;
        toRssi[to] = rssi[from] ?? 0;
        if (distance[from] !== 0) properties = withEcho(properties, echo, flags[from] ?? 0);
      }
      toProperties[column] = properties;
    }
  }
}
