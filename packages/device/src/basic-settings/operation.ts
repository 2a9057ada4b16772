import { basicSettings, fieldOfView, performanceProfiles, StateChange, type ValueOf } from '@azimuth/model';
import { computed, type Feature, method } from '../feature.js';
import type { Measuring } from '../measuring/measuring.js';
import type { MeasuringState } from '../measuring/measuring-state.js';
import type { Parameters } from '../parameters/parameters.js';

const { PerformanceProfileNumber, ScanConfig } = basicSettings.members;
const { mStartMeasure, mStopMeasure, mStandby } = basicSettings.members;

interface Options {
  readonly parameters: Parameters;
  readonly measuring: Measuring;
}

/** Starts and stops measuring, and computes ScanConfig from the performance profile. */
export function operation({ parameters, measuring }: Options): Feature {
  const ask = (state: MeasuringState) => ({
    ErrorCode: measuring.request(state)
      ? StateChange.SOPAS_ERR_NO_ERR
      : StateChange.SOPAS_ERR_STATE_CHANGE_NOT_PERMITTED,
  });
  return {
    computed: [
      computed(ScanConfig, () => scanConfigOf(parameters.read(PerformanceProfileNumber)), [
        PerformanceProfileNumber,
      ]),
    ],
    methods: [
      method(mStartMeasure, () => ask('measuring')),
      method(mStopMeasure, () => ask('stopped')),
      method(mStandby, () => ask('standby')),
    ],
  };
}

function scanConfigOf(profile: ValueOf<'PerformanceProfileNumber'>): ValueOf<'ScanConfig'> {
  const { frequency, resolution } = performanceProfiles[profile];
  const range = {
    udiAngleRes: resolution,
    diStartAngle: fieldOfView.minimum,
    diStopAngle: fieldOfView.maximum,
  };
  return { udiScanFreq: frequency, ScanRange: { uiLength: 1, aRange: [range] } };
}
