import { fieldOfView, layoutOf, type ProfileFacts } from '@azimuth/model';

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
