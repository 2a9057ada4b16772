import type { ScanModule, ScanTelegram } from '@azimuth/telegrams';

/** Azimuths (rad) that differ by less are the same. */
const tolerance = 1e-3;

/**
 * Which segments a whole frame has, and where its last one lies: another performance profile or angle range changes
 * that. Segments that are wholly hidden are left out by the scanner, at both ends or in between.
 */
export class Shape {
  readonly #segments: ReadonlySet<number>;
  readonly #last: ScanTelegram;

  /** @param telegrams of a frame that is known to be whole, by their segments, rising */
  private constructor(segments: ReadonlySet<number>, last: ScanTelegram) {
    this.#segments = segments;
    this.#last = last;
  }

  static of(telegrams: readonly ScanTelegram[]): Shape | undefined {
    const last = telegrams.at(-1);
    if (last === undefined) return undefined;
    return new Shape(new Set(telegrams.map(segmentOf)), last);
  }

  /** Is a frame of these telegrams whole, as far as is known? */
  isThatOf(telegrams: readonly ScanTelegram[]): boolean {
    const last = telegrams.at(-1);
    return (
      last !== undefined &&
      telegrams.length === this.#segments.size &&
      telegrams.every((telegram) => this.#segments.has(segmentOf(telegram))) &&
      sameBeams(last.modules[0], this.#last.modules[0])
    );
  }
}

export function segmentOf({ modules }: ScanTelegram): number {
  return modules[0]?.segmentIndex ?? 0;
}

function sameBeams(one: ScanModule | undefined, other: ScanModule | undefined): boolean {
  return (
    one?.columns === other?.columns &&
    near(one?.firstAzimuth[0], other?.firstAzimuth[0]) &&
    near(one?.lastAzimuth[0], other?.lastAzimuth[0])
  );
}

function near(one = 0, other = 0): boolean {
  return Math.abs(one - other) < tolerance;
}
