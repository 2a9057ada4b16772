import { group, variable } from '../declaration.js';
import { boolean } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';

/** A coordinate in mm. */
const coordinate = (initial: number) => integer('int32', { minimum: -200_000, maximum: 200_000, initial });
/** A distance in mm. */
const distance = (initial: number) => integer('int32', { minimum: 0, maximum: 200_000, initial });

export const regionOfInterest = group(
  'Region of interest',
  {
    LFPradialDistanceRangeFilter: variable(
      struct({ bEnable: boolean(), ulDistMin: distance(0), ulDistMax: distance(200_000) }),
      {
        write: 'AuthorizedClient',
        unit: 'mm',
        text: 'Outputs only echoes between two distances from the scanner.',
      },
    ),
    LFPcubicareafilter: variable(
      struct({
        bEnable: boolean(),
        lXMin: coordinate(0),
        lXMax: coordinate(5000),
        lYMin: coordinate(-5000),
        lYMax: coordinate(5000),
        lZMin: coordinate(-5),
        lZMax: coordinate(5),
      }),
      {
        write: 'AuthorizedClient',
        unit: 'mm',
        text: 'Outputs only echoes inside a rectangle of x and y. The values of z have no effect.',
      },
    ),
  },
  { variant: 'basic' },
);
