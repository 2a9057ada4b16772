import {
  basicSettings,
  contaminationIndication,
  dataReduction,
  filter,
  mountingPosition,
  regionOfInterest,
  type Variable,
} from '@azimuth/model';
import type { Labelled } from '../forms/parameter-form.js';

const basic = basicSettings.members;
const filters = filter.members;
const regions = regionOfInterest.members;
const reduction = dataReduction.members;
const contamination = contaminationIndication.members;

/** Settings that belong together. */
export interface Section {
  readonly title: string;
  readonly settings: Labelled;
}

/** The settings whose effect is seen in the scan. Filters are in the order in which the scanner applies them. */
export const sections: readonly Section[] = [
  {
    title: 'Basic settings',
    settings: [
      [basic.PerformanceProfileNumber, 'Performance profile'],
      [basic.SensitivityMode, 'Sensitivity'],
      [basic.EnableLongRangeMode, 'Long range'],
    ],
  },
  {
    title: 'Filters',
    settings: [
      [filters.MCSenseLevel, 'Fog'],
      [filters.FREchoFilter, 'Echo'],
      [filters.LFPparticle, 'Particles'],
      [filters.LFPmovingAveragingFilter, 'Moving average'],
      [regions.LFPradialDistanceRangeFilter, 'Radial distance'],
      [regions.LFPcubicareafilter, 'Cuboid'],
    ],
  },
  {
    title: 'Reduction',
    settings: [
      [reduction.LFPangleRangeFilter, 'Angle range and beams'],
      [reduction.LFPintervalFilter, 'Interval of scans'],
    ],
  },
  {
    title: 'Contamination',
    settings: [
      [contamination.ContaminationConfig, 'Detection of dirt'],
      [contamination.treatBlockedSectorsAsErrorSectors, 'Blocked sectors count as dirty'],
    ],
  },
  { title: 'Mounting', settings: [[mountingPosition.members.SensorPosition, 'Position and rotation']] },
];

/** The sections that a scanner has, with the settings that it has. @param has true for a variable of the scanner */
export function sectionsOf(has: (variable: Variable<unknown>) => boolean): readonly Section[] {
  return sections
    .map(({ title, settings }) => ({ title, settings: settings.filter(([variable]) => has(variable)) }))
    .filter(({ settings }) => settings.length > 0);
}

/** The title of a setting for people; its name in the interface if it has none here. */
export function titleOf(name: string): string {
  const titled = sections.flatMap(({ settings }) => settings).find(([variable]) => variable.name === name);
  return titled?.[1] ?? name;
}
