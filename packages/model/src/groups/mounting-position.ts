import { group, variable } from '../declaration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';
import { offset } from './shared-types.js';

/** An angle in 1/10000 degree. */
const angle = () => integer('int32', { minimum: -3_600_000, maximum: 3_600_000 });

export const mountingPosition = group('Mounting position', {
  SensorPosition: variable(
    struct({ x: offset(), y: offset(), z: offset(), yaw: angle(), pitch: angle(), roll: angle() }),
    {
      write: 'AuthorizedClient',
      since: '2.2.0',
      unit: 'mm; 1/10000°',
      units: { x: 'mm', y: 'mm', z: 'mm', yaw: '1/10000°', pitch: '1/10000°', roll: '1/10000°' },
      text: 'Position and rotation of the scanner on its machine. Moves ROS 2 point clouds only.',
    },
  ),
});
