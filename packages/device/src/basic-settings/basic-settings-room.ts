import {
  basicSettings,
  device,
  fieldOfView,
  performanceProfiles,
  StateChange,
  status,
  type ValueOf,
} from '@azimuth/model';
import type { Measuring } from '../measuring/measuring.js';
import type { MeasuringState } from '../measuring/state.js';
import type { Parameters } from '../parameters/parameters.js';
import { act, computed, type Room } from '../room.js';
import type { Lamps } from './lamps.js';

const { LEDEnable, LEDState, PerformanceProfileNumber, ScanConfig } = basicSettings.members;
const { AutoStartMeasure, SensitivityMode, EnableLongRangeMode } = basicSettings.members;
const { mStartMeasure, mStopMeasure, mStandby } = basicSettings.members;
const { FindMe } = device.members;
const { DeviceStatus } = status.members;

/** Measuring and not, lamps, and what the performance profile comes to. */
export function basicSettingsRoom(parameters: Parameters, lamps: Lamps, measuring: Measuring): Room {
  const ask = (state: MeasuringState) => ({
    ErrorCode: measuring.ask(state)
      ? StateChange.SOPAS_ERR_NO_ERR
      : StateChange.SOPAS_ERR_STATE_CHANGE_NOT_PERMITTED,
  });
  return {
    heeds: [AutoStartMeasure, SensitivityMode, EnableLongRangeMode],
    computed: [
      computed(LEDState, () => lamps.state, [LEDEnable, DeviceStatus]),
      computed(ScanConfig, () => scanConfigOf(parameters.read(PerformanceProfileNumber)), [
        PerformanceProfileNumber,
      ]),
    ],
    acts: [
      act(mStartMeasure, () => ask('measuring')),
      act(mStopMeasure, () => ask('stopped')),
      act(mStandby, () => ask('standby')),
      act(FindMe, ({ uiDuration }) => {
        lamps.findMe(uiDuration);
        return {};
      }),
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
