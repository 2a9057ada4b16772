import {
  basicSettings,
  dataReduction,
  filter,
  mountingPosition,
  regionOfInterest,
  type Variable,
} from '@azimuth/model';

/** What knows the values of variables; a release may lack some of them. */
interface Values {
  has(variable: Variable<unknown>): boolean;
  read<T>(variable: Variable<T>): T;
}

/** The values that say how scans are processed; the default of a variable that is not there. */
export function processingSettings(values: Values) {
  function read<T>(variable: Variable<T>): T {
    return values.has(variable) ? values.read(variable) : variable.type.initial;
  }

  return {
    MCSenseLevel: read(filter.members.MCSenseLevel),
    LFPparticle: read(filter.members.LFPparticle),
    LFPmovingAveragingFilter: read(filter.members.LFPmovingAveragingFilter),
    FREchoFilter: read(filter.members.FREchoFilter),
    LFPradialDistanceRangeFilter: read(regionOfInterest.members.LFPradialDistanceRangeFilter),
    LFPcubicareafilter: read(regionOfInterest.members.LFPcubicareafilter),
    LFPangleRangeFilter: read(dataReduction.members.LFPangleRangeFilter),
    LFPintervalFilter: read(dataReduction.members.LFPintervalFilter),
    SensorPosition: read(mountingPosition.members.SensorPosition),
    EnableLongRangeMode: read(basicSettings.members.EnableLongRangeMode),
  };
}

export type ProcessingSettings = Readonly<ReturnType<typeof processingSettings>>;

/** The variables that processing depends on: after a change of one of them it is to be configured anew. */
export const processingVariables = variablesRead();

function variablesRead(): readonly Variable<unknown>[] {
  const variables: Variable<unknown>[] = [];
  processingSettings({
    has: () => true,
    read(variable) {
      variables.push(variable);
      return variable.type.initial;
    },
  });
  return variables;
}
