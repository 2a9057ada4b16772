import { event, group, variable } from '../declaration.js';
import { array } from '../types/array.js';
import { boolean } from '../types/enumeration.js';
import { float } from '../types/float.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';
import { streamDestination } from './measurement-data-output.js';

export const imuDataOutput = group(
  'IMU data output',
  {
    ImuDataEnable: variable(boolean(), {
      write: 'AuthorizedClient',
      text: 'Switches the IMU data stream on.',
    }),
    ImuDataEthSettings: variable(streamDestination(7503), {
      write: 'AuthorizedClient',
      text: 'Destination of the IMU data stream.',
    }),
    InertialMeasurementUnit: event(
      struct({
        Acceleration: array(float(), { maxItems: 3 }),
        AngularVelocity: array(float(), { maxItems: 3 }),
        Orientation: array(float(), { maxItems: 4 }),
        TimeStamp: integer('uint64'),
      }),
      {
        unit: 'm/s²; rad/s; µs',
        units: { Acceleration: 'm/s²', AngularVelocity: 'rad/s', TimeStamp: 'µs' },
        text: 'Acceleration, angular velocity and orientation (a quaternion) of the scanner, with a timestamp.',
      },
    ),
  },
  { variant: 'full' },
);
