import { event, file, group, method } from '../declaration.js';
import { enumeration } from '../types/enumeration.js';

export const UpdateState = { Initial: 0, Started: 1, Finished: 2, Error: 3 } as const;

export const firmwareUpdate = group('Firmware update', {
  RunFirmwareUpdate: method({
    level: 'Service',
    text: 'Checks and installs the firmware file that was transferred, then reboots.',
  }),
  UpdateState: event(enumeration(UpdateState, UpdateState.Initial), {
    text: 'How far the installation of firmware is.',
  }),
  update: file({
    verbs: {
      PUT: {
        accepts: ['application/octet-stream'],
        maxBytes: 100 * 1024 * 1024,
        tokenSince: '2.3.1',
        text: 'Takes a firmware file for RunFirmwareUpdate to install.',
      },
    },
    text: 'The firmware file to be installed.',
  }),
});
