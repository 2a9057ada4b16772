import { dataReduction, fieldOfView, regionOfInterest, type Variable } from '@azimuth/model';
import { type Check, type Finding, note, problem, type Verdict, verdictFrom } from '../check.js';
import type { Observation } from '../observation.js';

const { LFPangleRangeFilter, LFPintervalFilter } = dataReduction.members;
const { LFPradialDistanceRangeFilter, LFPcubicareafilter } = regionOfInterest.members;

const filters: readonly Variable<unknown>[] = [
  LFPangleRangeFilter,
  LFPintervalFilter,
  LFPradialDistanceRangeFilter,
  LFPcubicareafilter,
];

export const filterChecks: readonly Check[] = [
  { name: 'filters', about: 'what the filters take out of the data', reads: filters, judge: filteredOut },
];

function filteredOut(observation: Observation): Verdict {
  if (filters.every((filter) => observation.value(filter) === undefined)) {
    return { unseen: observation.unknownReason(LFPangleRangeFilter) };
  }
  const findings = [
    ...angles(observation),
    ...interval(observation),
    ...distances(observation),
    ...cuboid(observation),
  ];
  const unread = filters.find(
    (filter) => observation.value(filter) === undefined && !observation.lacks(filter),
  );
  if (findings.length === 0 && unread !== undefined) return { unseen: observation.unknownReason(unread) };
  return verdictFrom(findings, 'nothing');
}

function angles(observation: Observation): readonly Finding[] {
  const filter = observation.value(LFPangleRangeFilter);
  if (filter?.bEnable !== true) return [];
  const { fThetaStart, fThetaStop, uiBeamIncrement } = filter;
  const off = observation.command('set LFPangleRangeFilter bEnable=off');
  if (fThetaStart > fThetaStop) {
    return [problem('the angle filter takes out everything: its start is behind its stop', off)];
  }
  const all = fThetaStart <= fieldOfView.minimum && fThetaStop >= fieldOfView.maximum;
  if (all && uiBeamIncrement === 1) return [];
  const range = `from ${fThetaStart / 10_000}° to ${fThetaStop / 10_000}°`;
  const beams = uiBeamIncrement === 1 ? '' : `, and only every beam number ${uiBeamIncrement}`;
  return [note(`the angle filter lets only data ${range} out${beams}`, `all angles: ${off}`)];
}

function interval(observation: Observation): readonly Finding[] {
  const filter = observation.value(LFPintervalFilter);
  if (filter?.bEnable !== true) return [];
  return [
    note(
      `the interval filter lets only one of ${filter.uiReductionFactor} scans out`,
      `all scans: ${observation.command('set LFPintervalFilter bEnable=off')}`,
    ),
  ];
}

function distances(observation: Observation): readonly Finding[] {
  const filter = observation.value(LFPradialDistanceRangeFilter);
  if (filter?.bEnable !== true) return [];
  const { ulDistMin, ulDistMax } = filter;
  const off = observation.command('set LFPradialDistanceRangeFilter bEnable=off');
  if (ulDistMin >= ulDistMax) return [problem('the distance filter takes out every echo', off)];
  return [
    note(
      `the distance filter lets only echoes from ${ulDistMin} mm to ${ulDistMax} mm out`,
      `all echoes: ${off}`,
    ),
  ];
}

function cuboid(observation: Observation): readonly Finding[] {
  const filter = observation.value(LFPcubicareafilter);
  if (filter?.bEnable !== true) return [];
  const { lXMin, lXMax, lYMin, lYMax } = filter;
  const off = observation.command('set LFPcubicareafilter bEnable=off');
  if (lXMin >= lXMax || lYMin >= lYMax) return [problem('the area filter takes out every echo', off)];
  return [
    note(
      `the area filter lets only echoes with x from ${lXMin} mm to ${lXMax} mm and y from ${lYMin} mm to ${lYMax} mm out`,
      `all echoes: ${off}`,
    ),
  ];
}
