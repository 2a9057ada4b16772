import type { ValueOf } from '@azimuth/model';

/** LFPintervalFilter: is the scan of this number put out? Those are whose number is a multiple of the factor. */
export function passesInterval(
  { bEnable, uiReductionFactor }: ValueOf<'LFPintervalFilter'>,
  number: number,
): boolean {
  return !bEnable || number % uiReductionFactor === 0;
}
