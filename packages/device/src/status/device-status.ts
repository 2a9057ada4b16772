import { status } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Conditions } from '../lifecycle/condition.js';

const { DeviceStatus, SCdevicestate } = status.members;

/** The state of the device as a whole. */
export function deviceStatus(conditions: Conditions): Feature {
  return {
    computed: [
      computed(DeviceStatus, () => conditions.deviceStatus),
      computed(SCdevicestate, () => conditions.shortState),
    ],
  };
}
