import { fieldOfView, type ProfileFacts } from '@azimuth/model';

/** Where the beams of a scan stand. Angles in degrees, counter-clockwise, 0 straight ahead. */
export interface ScanGeometry {
  /** Turns of the mirror a second, in Hz. */
  readonly frequency: number;
  /** Angle of the first beam. */
  readonly firstAngle: number;
  /** Angle from one beam to the next. */
  readonly step: number;
  /** Beams a scan. */
  readonly beams: number;
  /** Beams a segment; the last one may have fewer. */
  readonly beamsPerSegment: number;
}

/** Slower scans come in segments of 30°, faster ones of 60° (reference of devices, Measuring). */
const fewerSegmentsFrom = 30;

/**
 * The beams of a performance profile. 3333/10000° stands for a third of a degree: so every segment begins at a whole
 * degree, and the last beam is at 138°.
 */
export function geometryOf({ frequency, resolution }: ProfileFacts): ScanGeometry {
  const hertz = frequency / 100;
  const beamsPerDegree = Math.round(100_000 / resolution) / 10;
  const first = fieldOfView.minimum / 10_000;
  const field = (fieldOfView.maximum - fieldOfView.minimum) / 10_000;
  return {
    frequency: hertz,
    firstAngle: first,
    step: 1 / beamsPerDegree,
    beams: Math.round(field * beamsPerDegree) + 1,
    beamsPerSegment: Math.round((hertz < fewerSegmentsFrom ? 30 : 60) * beamsPerDegree),
  };
}

/** Time from one beam to the next in µs: the mirror turns evenly, what it does not see included. */
export function beamInterval({ frequency, step }: ScanGeometry): number {
  return (1_000_000 * step) / (360 * frequency);
}

/** Do they stand for the same beams? */
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
