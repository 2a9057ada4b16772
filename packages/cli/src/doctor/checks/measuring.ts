import { DeviceStatus, status } from '@azimuth/model';
import type { Observation } from '../observation.js';

const { DeviceStatus: deviceStatus } = status.members;

/** States in which nothing is measured, so that no data leaves the scanner. */
const without: ReadonlySet<number> = new Set([
  DeviceStatus.DS_Startup,
  DeviceStatus.DS_ServiceMode,
  DeviceStatus.DS_SuspendedOperation,
  DeviceStatus.DS_FatalError,
]);

/** May the scanner be measuring? Only then does it mean something that no data comes. */
export function mayMeasure(seen: Observation): boolean {
  const now = seen.value(deviceStatus);
  return now === undefined || !without.has(now);
}
