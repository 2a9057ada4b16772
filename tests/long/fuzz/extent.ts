/** How far a campaign goes: as the environment says (`npm run campaign`), or as far as the tests have time for. */
export interface Extent {
  readonly seed: number;
  /** It ends after so many inputs, or so many seconds, whichever comes first. */
  readonly inputs: number;
  readonly seconds: number;
  /** What brings the same run again. */
  readonly again: string;
}

/** @param short the extent in the tests */
export function extentOf(short: { inputs: number; seconds: number }): Extent {
  const { AZIMUTH_FUZZ_SEED, AZIMUTH_FUZZ_INPUTS, AZIMUTH_FUZZ_SECONDS } = process.env;
  const seed = Number(AZIMUTH_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const isStated = AZIMUTH_FUZZ_INPUTS !== undefined || AZIMUTH_FUZZ_SECONDS !== undefined;
  const inputs = Number(AZIMUTH_FUZZ_INPUTS ?? (isStated ? Number.POSITIVE_INFINITY : short.inputs));
  const seconds = Number(AZIMUTH_FUZZ_SECONDS ?? (isStated ? 24 * 3600 : short.seconds));
  return { seed, inputs, seconds, again: `AZIMUTH_FUZZ_SEED=${seed}` };
}
