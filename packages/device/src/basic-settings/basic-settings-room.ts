import {
  basicSettings,
  device,
  fieldOfView,
  performanceProfiles,
  status,
  type ValueOf,
} from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';
import { act, computed, type Room } from '../room.js';
import type { Lamps } from './lamps.js';

const { LEDEnable, LEDState, PerformanceProfileNumber, ScanConfig } = basicSettings.members;
const { FindMe } = device.members;
const { DeviceStatus } = status.members;

/** Lamps, and what the performance profile comes to. */
export function basicSettingsRoom(parameters: Parameters, lamps: Lamps): Room {
  return {
    computed: [
      computed(LEDState, () => lamps.state, [LEDEnable, DeviceStatus]),
      computed(ScanConfig, () => scanConfigOf(parameters.read(PerformanceProfileNumber)), [
        PerformanceProfileNumber,
      ]),
    ],
    acts: [
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
