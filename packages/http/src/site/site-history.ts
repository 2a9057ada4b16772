/** A value of a scanner of which there is a history. */
export interface SiteCurve {
  /** In queries: `temperature`. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** Empty for counts. */
  readonly unit: string;
}

/** A curve, as JSON at `/site/history` for one value. */
export interface SiteCurvePoints extends SiteCurve {
  /** At most 1000, the oldest first: ms since 1970-01-01 UTC, and the value; null if it is not known. */
  readonly points: readonly (readonly [number, number | null])[];
}
