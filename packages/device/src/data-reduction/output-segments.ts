import type { ValueOf } from '@azimuth/model';
import { beamProperty } from '@azimuth/telegrams/encode';
import type { ScanFilter } from '../filter/scan-filter.js';
import {
  angleOf,
  beamInterval,
  EchoFlag,
  echoesPerBeam,
  radPerDegree,
  type Scan,
  type ScanGeometry,
} from '../scan/scan.js';
import { anglesOf } from './segment-angles.js';

/** Consecutive beams from `first` up to, but not including, `end`. */
export interface BeamRange {
  readonly first: number;
  readonly end: number;
}

/** 1/10000°: both 3333 and 3334 mean a third of a degree. */
const rounding = 1;

/**
 * The beams within LFPangleRangeFilter, from fThetaStart to fThetaStop, both included. There are none if the start is
 * above the stop. The range of fPhi has no effect on a scanner with one plane.
 */
export function visibleBeams(geometry: ScanGeometry, range: ValueOf<'LFPangleRangeFilter'>): BeamRange {
  if (!range.bEnable) return { first: 0, end: geometry.beams };
  const nothing = { first: 0, end: 0 };
  if (range.fThetaStart > range.fThetaStop) return nothing;

  function isVisible(beam: number): boolean {
    const angle = angleOf(geometry, beam) * 10_000;
    return angle >= range.fThetaStart - rounding && angle <= range.fThetaStop + rounding;
  }

  let first = 0;
  while (first < geometry.beams && !isVisible(first)) first++;
  let end = first;
  while (end < geometry.beams && isVisible(end)) end++;
  return first === end ? nothing : { first, end };
}

/** Removes all echoes of the beams outside a range. The beams stay in the scan. */
export class AngleRangeFilter implements ScanFilter {
  readonly #visible: BeamRange;

  constructor(visible: BeamRange) {
    this.#visible = visible;
  }

  apply(scan: Scan, first: number, end: number): number {
    scan.clear(first, Math.min(this.#visible.first, end));
    scan.clear(Math.max(this.#visible.end, first), end);
    return end;
  }
}

/** The settings of data reduction. */
interface Reduction extends Pick<SegmentLayout, 'echoes' | 'scale'> {
  readonly visible: BeamRange;
  /** Every n-th beam of a segment is in the output: 1 or more. */
  readonly increment: number;
}

/**
 * The output segments of a scan, counted from 0. A segment without a visible beam is left out. The beam increment does
 * not matter for this.
 */
export function outputSegments(
  geometry: ScanGeometry,
  { visible, increment, echoes, scale }: Reduction,
): readonly GatheredSegment[] {
  const shown = shownSegments(geometry, visible);
  return shown.map(
    (range, index) =>
      new GatheredSegment(geometry, {
        index,
        last: index === shown.length - 1,
        outputBeams: outputBeamsOf(range, increment),
        echoes,
        scale,
        end: range.end,
      }),
  );
}

/** The beams of each segment that has a visible beam. */
export function shownSegments(geometry: ScanGeometry, visible: BeamRange): readonly BeamRange[] {
  return segmentRanges(geometry).filter(({ first, end }) => first < visible.end && end > visible.first);
}

/**
 * The beams of each segment of a scan. A single beam at the end belongs to the segment before, because some receivers divide
 * by the number of beams less one.
 */
export function segmentRanges({ beams, beamsPerSegment }: ScanGeometry): readonly BeamRange[] {
  const ranges: BeamRange[] = [];
  for (let first = 0; first < beams; first += beamsPerSegment) {
    const end = Math.min(first + beamsPerSegment, beams);
    const before = end - first === 1 ? ranges.pop() : undefined;
    ranges.push({ first: before?.first ?? first, end });
  }
  return ranges;
}

/**
 * The output beams of a segment: every n-th, from the first on. If only one of several beams would remain, the last
 * beam is added, because some receivers divide by the number of beams less one.
 * @param increment n, 1 or more
 */
export function outputBeamsOf({ first, end }: BeamRange, increment: number): Int32Array {
  const beams: number[] = [];
  for (let beam = first; beam < end; beam += increment) beams.push(beam);
  if (beams.length === 1 && end - first > 1) beams.push(end - 1);
  return Int32Array.from(beams);
}

/**
 * LFPintervalFilter: true if the scan with this number is in the output. The number has to be a multiple of the factor.
 */
export function passesInterval(
  { bEnable, uiReductionFactor }: ValueOf<'LFPintervalFilter'>,
  number: number,
): boolean {
  return !bEnable || number % uiReductionFactor === 0;
}

/** Whole µs to add to times of a scan in telegrams. */
export interface StampOffsets {
  /** To all times. */
  readonly offset: number;
  /** The part of `offset` that is wrong, due to planned faults: for telegrams with the uptime. */
  readonly error: number;
  /** To the times of its beams in addition, due to planned faults. */
  readonly scanError: number;
}

/** Those for the uptime. */
export const rightStamps: StampOffsets = { offset: 0, error: 0, scanError: 0 };

/**
 * An output segment of a scan, after all filters. The arrays are reused for the next scan, so copy the data to store.
 * Times are in µs of the scanner's clock, angles in rad.
 */
export interface OutputSegment {
  /** Number of the scan. */
  readonly frame: number;
  /** Index of the segment in the output, from 0 in each scan. */
  readonly index: number;
  /** True for the last output segment of the scan. */
  readonly last: boolean;
  readonly beams: number;
  /** Places for echoes of each beam: 3, or 1 with an echo filter. */
  readonly echoes: number;
  /** No beam has more echoes than this: the places behind them are 0. */
  readonly mostEchoes: number;
  /** For telegrams: planned faults of stamps are in it. */
  readonly firstBeamTime: number;
  readonly lastBeamTime: number;
  /** µs to add to these times, and to the time of sending, in a telegram. The same in all segments of a scan. */
  readonly timeOffset: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  /** mm of one count in formats that send whole numbers: 1, or 2 if distances need more than 16 bits. */
  readonly scale: number;
  /** mm, beams × echoes. */
  readonly distance: Float32Array;
  /** 0 to 65535, beams × echoes. */
  readonly rssi: Uint16Array;
  /** One byte for each beam: bit 0 reflector (of any echo), bits 5 to 7 blooming of echoes 0 to 2. */
  readonly properties: Uint8Array;
  /** False if all properties are 0. */
  readonly hasProperties: boolean;
  /** One angle for each beam. */
  readonly azimuth: Float32Array;
  /** The same angles as codes of Compact. */
  readonly azimuthCodes: Uint16Array;
}

/** The properties of a segment that are the same in every scan. */
interface SegmentLayout {
  readonly index: number;
  readonly last: boolean;
  /** The numbers of its beams in the scan, in ascending order; at least one. */
  readonly outputBeams: Int32Array;
  /** Places for echoes of each beam: 1 to 3. */
  readonly echoes: number;
  /** mm of one count in formats that send whole numbers. */
  readonly scale: number;
  /** The beam behind its last one, even if that one is not in the output. */
  readonly end: number;
}

/** The properties of a beam after one more echo. The reflector bit is set if any echo has it. */
function withEcho(properties: number, echo: number, flag: number): number {
  const blooming = (flag & EchoFlag.blooming) === 0 ? 0 : 1 << (beamProperty.firstBlooming + echo);
  return properties | (flag & EchoFlag.reflector) | blooming;
}

/**
 * An output segment. It is filled from each scan without allocating memory. If all echoes of consecutive beams are in
 * the output, its distances and signal strengths are parts of the arrays of the scan, without a copy.
 */
export class GatheredSegment implements OutputSegment {
  frame = 0;
  firstBeamTime = 0;
  lastBeamTime = 0;
  timeOffset = 0;
  mostEchoes = echoesPerBeam;
  hasProperties = false;
  readonly index: number;
  readonly last: boolean;
  readonly beams: number;
  readonly echoes: number;
  readonly scale: number;
  /** The segment can be sent when the beams up to, but not including, this one are measured. */
  readonly end: number;
  /** Time at which that is so, in µs from the first beam of the scan. */
  readonly dueAfter: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  distance: Float32Array;
  rssi: Uint16Array;
  readonly properties: Uint8Array;
  readonly azimuth: Float32Array;
  readonly azimuthCodes: Uint16Array;
  /** Its beams, by their number in the scan. */
  readonly outputBeams: Int32Array;
  /** The scan whose `distance` and `rssi` are in use, if they are not copied. */
  #scan: Scan | undefined;
  /** True if all echoes of consecutive beams are in the output. */
  readonly #isContiguous: boolean;
  readonly #firstBeamAfter: number;
  readonly #lastBeamAfter: number;

  constructor(geometry: ScanGeometry, { index, last, outputBeams, echoes, scale, end }: SegmentLayout) {
    const interval = beamInterval(geometry);
    const first = outputBeams.at(0) ?? 0;
    const final = outputBeams.at(-1) ?? 0;
    const azimuthOf = (beam: number) => angleOf(geometry, beam) * radPerDegree;
    this.index = index;
    this.last = last;
    this.beams = outputBeams.length;
    this.echoes = echoes;
    this.scale = scale;
    this.end = end;
    this.dueAfter = (end - 1) * interval;
    this.firstAzimuth = azimuthOf(first);
    this.lastAzimuth = azimuthOf(final);
    this.#isContiguous = echoes === echoesPerBeam && final - first === outputBeams.length - 1;
    const copied = this.#isContiguous ? 0 : outputBeams.length * echoes;
    this.distance = new Float32Array(copied);
    this.rssi = new Uint16Array(copied);
    this.properties = new Uint8Array(outputBeams.length);
    const angles = anglesOf(geometry, outputBeams);
    this.azimuth = angles.azimuth;
    this.azimuthCodes = angles.azimuthCodes;
    this.outputBeams = angles.outputBeams;
    this.#firstBeamAfter = first * interval;
    this.#lastBeamAfter = final * interval;
  }

  /** Reads the beams of this segment from a scan. The scan must not change while the segment is in use. */
  gather(scan: Scan, { offset, scanError }: StampOffsets = rightStamps): void {
    this.timeOffset = offset;
    this.frame = scan.number;
    this.mostEchoes = Math.min(scan.mostEchoes, this.echoes);
    this.firstBeamTime = Math.round(scan.time + this.#firstBeamAfter) + scanError;
    this.lastBeamTime = Math.round(scan.time + this.#lastBeamAfter) + scanError;
    if (!this.#isContiguous) this.#copyEchoes(scan);
    else if (scan !== this.#scan) this.#showEchoes(scan);
    const hadProperties = this.hasProperties;
    this.hasProperties = scan.hasFlags;
    if (!scan.hasFlags) {
      if (hadProperties) this.properties.fill(0);
    } else if (this.#isContiguous && scan.mostEchoes === 1) this.#gatherSingleProperties(scan);
    else this.#gatherProperties(scan);
  }

  #showEchoes(scan: Scan): void {
    const from = (this.outputBeams[0] ?? 0) * echoesPerBeam;
    const to = from + this.beams * echoesPerBeam;
    this.#scan = scan;
    this.distance = scan.distance.subarray(from, to);
    this.rssi = scan.rssi.subarray(from, to);
  }

  #copyEchoes({ distance, rssi }: Scan): void {
    let to = 0;
    for (const beam of this.outputBeams) {
      const first = beam * echoesPerBeam;
      for (let from = first; from < first + this.echoes; from++, to++) {
        this.distance[to] = distance[from] ?? 0;
        this.rssi[to] = rssi[from] ?? 0;
      }
    }
  }

  /** Ignores the flags of a place without an echo. */
  #gatherProperties({ distance, flags }: Scan): void {
    const outputBeams = this.outputBeams;
    const { properties, echoes } = this;
    for (let column = 0; column < outputBeams.length; column++) {
      const first = (outputBeams[column] ?? 0) * echoesPerBeam;
      let bits = 0;
      // Most beams have no flags.
      if (((flags[first] ?? 0) | (flags[first + 1] ?? 0) | (flags[first + 2] ?? 0)) !== 0) {
        for (let echo = 0; echo < echoes; echo++) {
          const flag = flags[first + echo] ?? 0;
          if (flag !== 0 && distance[first + echo] !== 0) bits = withEcho(bits, echo, flag);
        }
      }
      properties[column] = bits;
    }
  }

  /** The same for consecutive beams with one echo at most. */
  #gatherSingleProperties({ distance, flags }: Scan): void {
    const { properties } = this;
    let place = (this.outputBeams[0] ?? 0) * echoesPerBeam;
    for (let column = 0; column < properties.length; column++, place += echoesPerBeam) {
      const flag = flags[place] ?? 0;
      properties[column] = flag === 0 || distance[place] === 0 ? 0 : withEcho(0, 0, flag);
    }
  }
}
