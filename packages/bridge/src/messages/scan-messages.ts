import type { Frame } from '@azimuth/client';
import { reflectorEchoes } from '@azimuth/telegrams';
import {
  encodeLaserScan,
  encodeMultiEchoLaserScan,
  type Header,
  PointCloudWriter,
  pointCloudBytes,
  type ScanFacts,
  scanValues,
} from '@azimuth/telegrams/ros2';
import { type BeamGrid, beamGridOf } from './beam-grid.js';
import { durationOf } from './stamps.js';

const metres = 0.001;

/** The largest distance that a telegram of Compact can have, in mm: 16 bits in steps of 2 mm. */
const farthest = 131_070;

/** range_max of all scans in m. Echoes beyond it are left out. */
export const rangeMax = farthest * metres;

/** Range of a place without a beam, for example in a lost segment: not a number, as REP 117 wants it. */
const notMeasured = Number.NaN;
/** Range of a beam that detected nothing, as REP 117 wants it. */
const nothingDetected = Number.POSITIVE_INFINITY;

/**
 * Makes a LaserScan (sensor_msgs) of one echo of each beam as CDR. Ranges in m: infinite where nothing was detected, NaN
 * where the frame has no beam. The intensity is the signal strength from 0 to 1, and 1.05 for a reflector, as native
 * ROS 2 of scanners has it; there are none if the scanner does not send signal strengths.
 * @param echo from 0, the nearest
 */
export function laserScanOf(frame: Frame, echo: number, header: Header): Uint8Array {
  const grid = beamGridOf(frame);
  const ranges = new Float32Array(grid.places);
  const intensities = new Float32Array(frame.rssi === undefined ? 0 : grid.places);
  for (let place = 0; place < grid.places; place++) {
    const beam = grid.beamAt(place);
    const at = beam * frame.echoes + echo;
    const hasEcho = beam >= 0 && echo < frame.echoes && isValid(frame, at);
    ranges[place] = hasEcho ? (frame.distance[at] ?? 0) * metres : beam < 0 ? notMeasured : nothingDetected;
    if (hasEcho && intensities.length > 0) intensities[place] = intensityOf(frame, beam, echo);
  }
  return encodeLaserScan({ ...header, ...factsOf(frame, grid), ranges, intensities });
}

/**
 * Makes a MultiEchoLaserScan (sensor_msgs) of all echoes of each beam as CDR. A beam that detected nothing has no echo.
 * Values as in `laserScanOf`; without signal strengths, all intensities are 0.
 */
export function multiEchoLaserScanOf(frame: Frame, header: Header): Uint8Array {
  const grid = beamGridOf(frame);
  const places = Math.min(frame.echoes, mostEchoes);
  const ranges = new Float32Array(grid.places * places);
  const intensities = new Float32Array(grid.places * places);
  const counts = new Uint8Array(grid.places);
  for (let place = 0; place < grid.places; place++) {
    const beam = grid.beamAt(place);
    let count = 0;
    for (let echo = 0; beam >= 0 && echo < places; echo++) {
      const at = beam * frame.echoes + echo;
      if (!isValid(frame, at)) continue;
      ranges[place * places + count] = (frame.distance[at] ?? 0) * metres;
      intensities[place * places + count] = intensityOf(frame, beam, echo);
      count += 1;
    }
    counts[place] = count;
  }
  return encodeMultiEchoLaserScan({
    ...header,
    ...factsOf(frame, grid),
    places,
    counts,
    ranges,
    intensities,
  });
}

/** Echoes of a beam that a MultiEchoLaserScan can count. */
const mostEchoes = 255;

/** Selection of the echoes that become points. */
export interface PointChoice {
  /** One echo of each beam, from 0; all if it is left out. */
  readonly echo?: number | undefined;
  /** True for echoes of reflectors only. */
  readonly reflectorsOnly?: boolean | undefined;
}

/**
 * Makes a PointCloud2 (sensor_msgs) of echoes as CDR, in the axes of the scanner: x ahead, y left, z up, in m. SensorPosition
 * does not move the points, unlike in native ROS 2 of scanners: `transformsOf` does it, for scans and points alike. The
 * fields are `pointFields` of @azimuth/telegrams/ros2.
 */
export function pointCloudOf(frame: Frame, header: Header, choice: PointChoice = {}): Uint8Array {
  const { echoes, azimuth, distance, rssi } = frame;
  const [first, end] = choice.echo === undefined ? [0, echoes] : [choice.echo, choice.echo + 1];
  const writer = new PointCloudWriter();
  writer.begin(header, new Uint8Array(pointCloudBytes(header, frame.beams * Math.max(0, end - first))));
  for (let beam = 0; beam < frame.beams; beam++) {
    const angle = azimuth[beam] ?? 0;
    for (let echo = first; echo < Math.min(end, echoes); echo++) {
      const at = beam * echoes + echo;
      if (!isValid(frame, at) || !Number.isFinite(angle)) continue;
      const isReflector = isReflectorAt(frame, beam, echo);
      if (choice.reflectorsOnly === true && !isReflector) continue;
      const range = (distance[at] ?? 0) * metres;
      const strength = (rssi?.[at] ?? 0) / scanValues.strongest;
      writer.point(range * Math.cos(angle), range * Math.sin(angle), 0, strength, isReflector);
    }
  }
  return writer.end();
}

function factsOf(frame: Frame, { first, step, places }: BeamGrid): Omit<ScanFacts, keyof Header> {
  const timeIncrement = places > 1 ? durationOf(frame) / 1_000_000 / (places - 1) : 0;
  return {
    angleMin: first,
    angleMax: first + step * Math.max(0, places - 1),
    angleIncrement: step,
    timeIncrement,
    // The duration of a whole revolution: a scan has the beams of a part of it.
    scanTime: step === 0 ? 0 : (timeIncrement * 2 * Math.PI) / Math.abs(step),
    rangeMin: scanValues.rangeMin,
    rangeMax,
  };
}

/** Returns true if there is an echo, and not beyond range_max. Not for NaN. */
function isValid({ distance }: Frame, at: number): boolean {
  const millimetres = distance[at] ?? 0;
  return millimetres > 0 && millimetres <= farthest;
}

function intensityOf(frame: Frame, beam: number, echo: number): number {
  if (isReflectorAt(frame, beam, echo)) return scanValues.ofReflector;
  return (frame.rssi?.[beam * frame.echoes + echo] ?? 0) / scanValues.strongest;
}

function isReflectorAt({ properties, distance, rssi, echoes }: Frame, beam: number, echo: number): boolean {
  const bits = properties?.[beam] ?? 0;
  return ((reflectorEchoes(bits, distance, rssi, beam * echoes, echoes) >> echo) & 1) !== 0;
}
