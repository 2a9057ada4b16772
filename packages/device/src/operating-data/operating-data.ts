import { operatingData, shortestFloat32 } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Host } from '../interfaces/host.js';
import type { StoredState } from '../parameters/stored-state.js';
import type { OperatingCounters } from './counters.js';

const { CurrentTempDev, DailyOpHours, OpHours, PowerOnCnt, LastParaDate, LastParaTime } =
  operatingData.members;

/** What the scanner counts and measures about itself. */
export function selfObservation(counters: OperatingCounters, state: StoredState, host: Host): Feature {
  return {
    computed: [
      computed(CurrentTempDev, () => shortestFloat32(host.temperature())),
      computed(DailyOpHours, () => shortestFloat32(counters.dailyHours)),
      computed(OpHours, () => counters.tenthsOfHours),
      computed(PowerOnCnt, () => counters.powerOnCount),
      computed(LastParaDate, () => state.content.saved.date),
      computed(LastParaTime, () => state.content.saved.time),
    ],
    end: () => counters.end(),
  };
}
