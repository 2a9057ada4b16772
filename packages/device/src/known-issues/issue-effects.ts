import {
  Fault,
  ScanDataFormat as Format,
  filter,
  measurementDataOutput,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import type { Contamination } from '../contamination-indication/contamination.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { isAtRest } from '../measuring/measuring-state.js';
import type { Parameters } from '../parameters/parameters.js';
import type { KnownIssues } from './known-issues.js';

const { ScanDataEnable, ScanDataFormat } = measurementDataOutput.members;
const { LFPmovingAveragingFilter, LFPparticle } = filter.members;

/** all/contamination-while-stopped: the share of light that each sector loses, as it is noticed. */
export function noticedLevels(
  levels: readonly number[],
  issues: KnownIssues,
  conditions: Conditions,
): readonly number[] {
  return issues.has('all/contamination-while-stopped') && isAtRest(conditions) ? [] : levels;
}

/** The same: what is noticed changes when measuring begins or ends. */
export function noticeAgain(
  contamination: Pick<Contamination, 'levelsChanged'>,
  issues: KnownIssues,
  conditions: Conditions,
): void {
  let wasAtRest = true;
  conditions.onChange(() => {
    if (isAtRest(conditions) === wasAtRest) return;
    wasAtRest = !wasAtRest;
    if (issues.has('all/contamination-while-stopped')) contamination.levelsChanged();
  });
}

/** all/diagnosis-file. @throws Fault 3 */
export function refuseDiagnosis(issues: KnownIssues, parameters: Parameters): void {
  if (!issues.has('all/diagnosis-file')) return;
  const isOn = (variable: Variable<{ readonly bEnable: boolean }>) =>
    parameters.has(variable) && parameters.read(variable).bEnable;
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
