import { event, group, variable } from '../declaration.js';
import { Fault } from '../envelope.js';
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
    text: 'What the scanner is doing, from start-up over normal operation to a fault; of several the gravest.',
  }),
  SCdevicestate: event(enumeration(SCdevicestate, 0), {
    text: 'The short form of the device status: ready while it measures and needs no service; busy or in error.',
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
          : new Fault(
              'outOfRange',
              `${at}.lowerThreshold`,
              `${lowerThreshold} is not below upperThreshold, ${upperThreshold}`,
            ),
      text: 'Temperature above which the alarm comes, and a lower one below which it goes.',
    },
  ),
  temperatureAlarmStatus: event(boolean(), {
    since: '2.2.0',
    text: 'Is the temperature alarm raised?',
  }),
});
