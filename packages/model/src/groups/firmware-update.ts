import { event, file, group, method } from '../declaration.js';
import { enumeration } from '../types/enumeration.js';

export const UpdateState = { Initial: 0, Started: 1, Finished: 2, Error: 3 } as const;

/** Size limit of a firmware file (bytes): 100 MiB. */
export const largestFirmware = 100 * 1024 * 1024;

export const firmwareUpdate = group('Firmware update', {
  RunFirmwareUpdate: method({
    level: 'Service',
    loses: 'the way back to an older release, and all changes that are not stored',
    reboots: true,
    text: 'Checks and installs the firmware file that was sent last, then reboots.',
  }),
  UpdateState: event(enumeration(UpdateState, UpdateState.Initial), {
    text: 'Progress of the firmware update.',
  }),
  update: file({
    verbs: {
      PUT: {
        accepts: ['application/octet-stream'],
        maxBytes: largestFirmware,
        tokenSince: '2.3.1',
        text: 'Receives a firmware file. RunFirmwareUpdate then installs it.',
      },
    },
    text: 'The firmware file that RunFirmwareUpdate installs.',
  }),
});
