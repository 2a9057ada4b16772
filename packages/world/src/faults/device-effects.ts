import type { Device } from '@azimuth/device';
import { DeviceStatus } from '@azimuth/model';
import type { PlannedFault } from '@azimuth/model/faults';
import type { VirtualHost } from '../virtual-host.js';
import type { Cable } from './cable.js';

/** The kinds whose occasion is each time that they begin. */
export type TimedKind =
  | 'device-power-cut'
  | 'device-status'
  | 'device-temperature'
  | 'device-clock-step'
  | 'device-contamination'
  | 'known-issue'
  | 'link-down';

/** What timed faults act on. */
export interface Surroundings {
  readonly device: Device;
  readonly host: VirtualHost;
  readonly cable: Cable;
  /** The power is off for so many ms: the boot that follows begins later. */
  readonly powerOff: (milliseconds: number) => void;
}

/** Begins a fault. Returns a function that ends it; undefined if there is nothing to end. */
export function begin(fault: PlannedFault<TimedKind>, on: Surroundings): (() => void) | undefined {
  switch (fault.kind) {
    case 'device-power-cut':
      on.powerOff(fault.for ?? 0);
      on.device.powerCycle();
      return undefined;
    case 'device-status':
      return showStatus(fault.status, on.device);
    case 'device-temperature':
      return on.host.overrideTemperature(fault.celsius);
    case 'device-clock-step':
      on.device.synchronisation.step(fault.step);
      return undefined;
    case 'device-contamination':
      return soil(fault, on);
    case 'known-issue':
      return on.device.issues.begin(fault.issue);
    case 'link-down':
      return on.cable.pull(fault.connections);
  }
}

/** Tells several faults of the same status apart. */
let shown = 0;

function showStatus(status: 6 | 7, { conditions }: Device): () => void {
  const condition = status === DeviceStatus.DS_ServiceRequired ? 'DS_ServiceRequired' : 'DS_RecoverableError';
  shown += 1;
  const reason = `planned fault ${shown}`;
  conditions.set(condition, reason, true);
  return () => conditions.set(condition, reason, false);
}

function soil(
  { level, sector }: PlannedFault<'device-contamination'>,
  { device, host }: Surroundings,
): () => void {
  const clean = host.overrideContamination(level, sector);
  device.contamination.levelsChanged();
  return () => {
    clean();
    device.contamination.levelsChanged();
  };
}
