import { basicSettings, device, performanceProfiles } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';
import { act, computed, type Room } from '../room.js';
import type { Lamps } from './lamps.js';

const { LEDState, PerformanceProfileNumber, ScanConfig } = basicSettings.members;
const { FindMe } = device.members;

const fieldEnd = 1_380_000;

/** Lamps, and what the performance profile comes to. */
export function basicSettingsRoom(parameters: Parameters, lamps: Lamps): Room {
  return {
    computed: [
      computed(LEDState, () => lamps.state),
      computed(ScanConfig, () => {
        const { frequency, resolution } = performanceProfiles[parameters.read(PerformanceProfileNumber)];
        const range = { udiAngleRes: resolution, diStartAngle: -fieldEnd, diStopAngle: fieldEnd };
        return { udiScanFreq: frequency, ScanRange: { uiLength: 1, aRange: [range] } };
      }),
    ],
    acts: [
      act(FindMe, ({ uiDuration }) => {
        lamps.findMe(uiDuration);
        return {};
      }),
    ],
  };
}
