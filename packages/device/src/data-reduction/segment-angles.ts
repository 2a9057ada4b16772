import { azimuthCodesOf } from '@azimuth/telegrams/encode';
import { angleOf, radPerDegree, type ScanGeometry } from '../scan/scan.js';

/** The angles of the beams of a segment. They never change. */
export interface SegmentAngles {
  /** The numbers of the beams in the scan. */
  readonly outputBeams: Int32Array;
  /** Azimuths in rad. */
  readonly azimuth: Float32Array;
  /** The same angles as codes of Compact. */
  readonly azimuthCodes: Uint16Array;
}

interface KnownAngles extends SegmentAngles {
  readonly geometry: ScanGeometry;
}

/** More segments than scanners with a few different settings have. */
const mostKnown = 64;

/** The angles of the latest segments with other beams than those before, the oldest first. */
const known: KnownAngles[] = [];

/**
 * Returns the angles of beams. All scanners of a process with the same beams share one object: so the angles, and what
 * an encoder makes of them, stay in the caches of the processor.
 */
export function anglesOf(geometry: ScanGeometry, outputBeams: Int32Array): SegmentAngles {
  const before = known.find((angles) => isOf(angles, geometry, outputBeams));
  if (before !== undefined) return before;
  const azimuth = Float32Array.from(outputBeams, (beam) => angleOf(geometry, beam) * radPerDegree);
  const angles = { geometry, outputBeams, azimuth, azimuthCodes: azimuthCodesOf(azimuth) };
  known.push(angles);
  if (known.length > mostKnown) known.shift();
  return angles;
}

function isOf(angles: KnownAngles, { firstAngle, step }: ScanGeometry, beams: Int32Array): boolean {
  return (
    angles.geometry.firstAngle === firstAngle &&
    angles.geometry.step === step &&
    angles.outputBeams.length === beams.length &&
    angles.outputBeams.every((beam, index) => beam === beams[index])
  );
}
