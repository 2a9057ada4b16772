import { group, method, variable } from '../declaration.js';
import { firmwareVersion, newestRelease } from '../release.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';

/** Device type of the scanner, and the family it belongs to. */
export const deviceName = 'picoScan';
export const deviceFamily = 'picoScan1xx';

export const device = group('Device', {
  DeviceIdent: variable(
    struct({
      Name: string({ maxLength: 9, initial: deviceName }),
      Version: string({ maxLength: 8, initial: firmwareVersion(newestRelease) }),
    }),
    {
      factory: ({ release }) => ({ Name: deviceName, Version: firmwareVersion(release) }),
      text: 'Name of the device type and version of its firmware.',
    },
  ),
  DeviceType: variable(string({ maxLength: 18, initial: deviceFamily }), {
    text: 'Device family of the scanner.',
  }),
  LocationName: variable(string({ maxLength: 32, initial: 'not defined' }), {
    write: 'AuthorizedClient',
    ofOneScanner: true,
    text: 'Name of the place where the scanner is mounted. You can choose it.',
  }),
  SerialNumber: variable(string({ maxLength: 9, initial: '123456789' }), {
    text: 'Serial number of the scanner.',
  }),
  FirmwareVersion: variable(string({ maxLength: 40, initial: 'XXXXXXXXXX' }), {
    text: 'Version of the firmware that runs.',
  }),
  OrderNumber: variable(string({ maxLength: 32, initial: '1234567' }), {
    text: 'Part number under which the scanner is ordered.',
  }),
  FindMe: method({
    level: 'login',
    request: { uiDuration: integer('uint16', { minimum: 1 }) },
    text: 'Makes the lamps blink for `uiDuration` seconds, so that you can see which scanner it is.',
  }),
  laserType: variable(integer('uint8'), { since: '2.3.1', text: 'Type of the sending unit.' }),
  sipmType: variable(integer('uint8'), { since: '2.3.1', text: 'Type of the receiving unit.' }),
});
