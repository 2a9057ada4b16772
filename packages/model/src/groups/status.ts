import { group, variable } from '../declaration.js';
import { enumeration } from '../types/enumeration.js';

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
  DeviceStatus: variable(enumeration(DeviceStatus, 0), {
    text: 'What the scanner is doing, from start-up over normal operation to a fault.',
  }),
  SCdevicestate: variable(enumeration(SCdevicestate, 0), {
    text: 'The short form of the device status: busy, ready or in error.',
  }),
});
