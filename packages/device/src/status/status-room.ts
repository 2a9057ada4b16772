import { status } from '@azimuth/model';
import { computed, type Room } from '../room.js';
import type { Conditions } from './condition.js';

const { DeviceStatus, SCdevicestate } = status.members;

/** The state of the device as a whole. */
export function statusRoom(conditions: Conditions): Room {
  return {
    computed: [
      computed(DeviceStatus, () => conditions.deviceStatus),
      computed(SCdevicestate, () => conditions.shortState),
    ],
  };
}
