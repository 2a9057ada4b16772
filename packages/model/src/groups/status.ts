import { event, group, variable } from '../declaration.js';
import { Refusal } from '../envelope.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';

export const DeviceStatus = {
  DS_UnknownState: 0,
  DS_Startup: 1,
  DS_ServiceMode: 2,
  DS_NormalOperation: 3,
  DS_SuspendedOperation: 4,
  DS_ServiceRecommended: 5,
  DS_ServiceRequired: 6,
  DS_RecoverableError: 7,
  DS_FatalError: 8,
} as const;

export const SCdevicestate = { Busy: 0, Ready: 1, Error: 2 } as const;

export const status = group('Status', {
  DeviceStatus: event(enumeration(DeviceStatus, 0), {
    text: 'State of the scanner: start-up, normal operation, service or fault. If several apply, it is the most severe.',
  }),
  SCdevicestate: event(enumeration(SCdevicestate, 0), {
    text: 'Short form of the device status: ready (it measures and needs no service), busy, or error.',
  }),
  temperatureAlarmConfiguration: variable(
    struct({
      upperThreshold: integer('int8', { initial: 55 }),
      lowerThreshold: integer('int8', { initial: 50 }),
    }),
    {
      write: 'AuthorizedClient',
      since: '2.2.0',
      unit: '°C',
      refuses: ({ lowerThreshold, upperThreshold }, at) =>
        lowerThreshold < upperThreshold
          ? undefined
          : new Refusal(
              'outOfRange',
              `${at}.lowerThreshold`,
              `${lowerThreshold} is not below upperThreshold, ${upperThreshold}`,
            ),
      text: 'Temperature above which the alarm is raised, and the lower temperature below which it ends.',
    },
  ),
  temperatureAlarmStatus: event(boolean(), {
    since: '2.2.0',
    text: 'Whether the temperature alarm is raised.',
  }),
});
