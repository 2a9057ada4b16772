/** The measurement of a performance profile: by hand from the published table. */
export interface Profile {
  readonly number: number;
  /** Hz. */
  readonly rate: number;
  readonly beamsPerDegree: number;
  /** From -138° to 138°, both ends included. */
  readonly beams: number;
  readonly segments: number;
  /** In all segments but the last. */
  readonly beamsPerSegment: number;
  readonly beamsInLast: number;
}

function profile(number: number, rate: number, beamsPerDegree: number, sizes: readonly number[]): Profile {
  const [beams = 0, segments = 0, beamsPerSegment = 0, beamsInLast = 0] = sizes;
  return { number, rate, beamsPerDegree, beams, segments, beamsPerSegment, beamsInLast };
}

export const profiles: readonly Profile[] = [
  profile(1, 15, 2, [553, 10, 60, 13]),
  profile(2, 15, 3, [829, 10, 90, 19]),
  profile(3, 20, 10, [2761, 10, 300, 61]),
  profile(4, 20, 4, [1105, 10, 120, 25]),
  profile(5, 25, 4, [1105, 10, 120, 25]),
  profile(6, 30, 10, [2761, 5, 600, 361]),
  profile(7, 40, 4, [1105, 5, 240, 145]),
  profile(8, 50, 4, [1105, 5, 240, 145]),
  profile(9, 15, 20, [5521, 10, 600, 121]),
  profile(10, 40, 8, [2209, 5, 480, 289]),
  profile(11, 15, 1, [277, 10, 30, 7]),
];

export function profileOf(number: number): Profile {
  const found = profiles.find((one) => one.number === number);
  if (found === undefined) throw new Error(`no profile ${number}`);
  return found;
}

/** The beams of each segment of a scan. */
export function segmentSizes({ segments, beamsPerSegment, beamsInLast }: Profile): readonly number[] {
  return Array.from({ length: segments }, (_, index) =>
    index === segments - 1 ? beamsInLast : beamsPerSegment,
  );
}

/** Direction of a beam of a scan, in rad. */
export function angleOfBeam({ beamsPerDegree }: Profile, beam: number): number {
  return ((-138 + beam / beamsPerDegree) * Math.PI) / 180;
}

/** µs from one beam to the next: the mirror turns evenly all the way round. */
export function beamSpacing({ rate, beamsPerDegree }: Profile): number {
  return 1_000_000 / rate / 360 / beamsPerDegree;
}
