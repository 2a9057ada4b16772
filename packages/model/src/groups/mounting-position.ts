import { group, variable } from '../declaration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';

/** An offset in mm. */
const offset = () => integer('int32', { minimum: -100_000, maximum: 100_000 });
/** An angle in 1/10000 degree. */
const angle = () => integer('int32', { minimum: -3_600_000, maximum: 3_600_000 });

export const mountingPosition = group('Mounting position', {
  SensorPosition: variable(
    struct({ x: offset(), y: offset(), z: offset(), yaw: angle(), pitch: angle(), roll: angle() }),
    {
      write: 'AuthorizedClient',
      since: '2.2.0',
      unit: 'mm; 1/10000°',
      text: 'Where the scanner is mounted in the coordinate system of its machine, and how it is turned.',
    },
  ),
});
