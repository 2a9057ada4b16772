import { status } from '@azimuth/model';
import type { Conditions } from '../lifecycle/condition.js';
import { computed, type Room } from '../room.js';
import type { TemperatureAlarm } from './temperature-alarm.js';

const { temperatureAlarmConfiguration, DeviceStatus, SCdevicestate, temperatureAlarmStatus } = status.members;

/** The state of the device as a whole. */
export function statusRoom(conditions: Conditions, alarm: TemperatureAlarm): Room {
  return {
    heeds: [temperatureAlarmConfiguration],
    computed: [
      computed(DeviceStatus, () => conditions.deviceStatus),
      computed(SCdevicestate, () => conditions.shortState),
      computed(temperatureAlarmStatus, () => alarm.raised),
    ],
  };
}
