import {
  Fault,
  ScanDataFormat as Format,
  filter,
  measurementDataOutput,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';
import type { KnownIssues } from './known-issues.js';

const { ScanDataEnable, ScanDataFormat } = measurementDataOutput.members;
const { LFPmovingAveragingFilter, LFPparticle } = filter.members;

/** all/diagnosis-file. @throws Fault 3 */
export function refuseDiagnosis(issues: KnownIssues, parameters: Parameters): void {
  if (!issues.has('all/diagnosis-file')) return;
  const isOn = (variable: Variable<{ readonly bEnable: boolean }>) => parameters.read(variable).bEnable;
  if (!isOn(LFPparticle) || !isOn(LFPmovingAveragingFilter) || !parameters.read(ScanDataEnable)) return;
  throw new Fault(
    'internalServerError',
    '',
    'file error: switch the particle filter, the moving average or the scan data stream off (all/diagnosis-file)',
  );
}

/** 2.1.0/angle-filter: LFPangleRangeFilter as it acts. */
export function actingAngleRange(
  range: ValueOf<'LFPangleRangeFilter'>,
  issues: KnownIssues,
  parameters: Parameters,
): ValueOf<'LFPangleRangeFilter'> {
  if (!issues.has('2.1.0/angle-filter') || parameters.read(ScanDataFormat) !== Format.LMDscandata)
    return range;
  return { ...range, bEnable: true };
}

/** The variable by which a range that acts differs, beside the range itself. */
export const formatOfScans: Variable<unknown> = ScanDataFormat;
