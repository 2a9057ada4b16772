import { DeviceStatus } from '@azimuth/model';

/** The counters of a scanner that tell of boots. */
export interface BootCounters {
  readonly powerOnCount: number | undefined;
  /** Hours since power was switched on. */
  readonly dailyHours: number | undefined;
  readonly deviceStatus: number | undefined;
}

/** Hours that a 32-bit float may be off. */
const tolerance = 0.01;

/**
 * Returns how a scanner has booted between two looks; undefined if nothing tells of a boot. A short reboot between two
 * looks tells nothing: the counters go on (specification, Operating data).
 */
export function bootBetween(before: BootCounters, after: BootCounters): string | undefined {
  const { powerOnCount: count, dailyHours: hours } = before;
  if (count !== undefined && after.powerOnCount !== undefined && after.powerOnCount > count) {
    const times = after.powerOnCount - count;
    const total = `PowerOnCnt is ${after.powerOnCount}`;
    return times === 1 ? `power was switched on: ${total}` : `power was switched on ${times} times: ${total}`;
  }
  if (hours !== undefined && after.dailyHours !== undefined && after.dailyHours < hours - tolerance)
    return 'its operating time began again';
  const isStarting = after.deviceStatus === DeviceStatus.DS_Startup;
  return isStarting && before.deviceStatus !== undefined && before.deviceStatus !== after.deviceStatus
    ? 'it is starting'
    : undefined;
}
