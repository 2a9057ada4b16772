import { group, variable } from '../declaration.js';
import { boolean } from '../types/boolean.js';
import { enumeration } from '../types/enumeration.js';
import { streamDestination } from './data-stream.js';

export const measurementDataOutput = group('Measurement data output', {
  ScanDataEnable: variable(boolean(), {
    write: 'AuthorizedClient',
    text: 'Switches the scan data stream on.',
  }),
  ScanDataEthSettings: variable(streamDestination(2115), {
    write: 'AuthorizedClient',
    text: 'Where the scan data stream goes.',
  }),
  ScanDataFormat: variable(enumeration({ MSGPACK: 1, Compact: 2, LMDscandata: 3, NativeROS2: 4 }, 2), {
    write: 'AuthorizedClient',
    text: 'Telegram format of the scan data stream.',
  }),
});
