import { group, variable } from '../declaration.js';
import { fieldOfView } from '../performance-profile.js';
import { boolean } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';

const phi = { minimum: -900_000, maximum: 900_000 };

export const dataReduction = group(
  'Data reduction',
  {
    LFPangleRangeFilter: variable(
      struct({
        bEnable: boolean(),
        fThetaStart: integer('int32', { ...fieldOfView, initial: -900_000 }),
        fThetaStop: integer('int32', { ...fieldOfView, initial: 900_000 }),
        fPhiStart: integer('int32', { ...phi, initial: -900_000 }),
        fPhiStop: integer('int32', { ...phi, initial: 900_000 }),
        uiBeamIncrement: integer('uint16', { minimum: 1, maximum: 20, initial: 1 }),
      }),
      {
        write: 'AuthorizedClient',
        unit: '1/10000°',
        units: {
          fThetaStart: '1/10000°',
          fThetaStop: '1/10000°',
          fPhiStart: '1/10000°',
          fPhiStop: '1/10000°',
        },
        text: 'Limits the output to a range of angles, and to every n-th beam in that range.',
      },
    ),
    LFPintervalFilter: variable(
      struct({
        bEnable: boolean(),
        uiReductionFactor: integer('int32', { minimum: 2, maximum: 50 }),
      }),
      {
        write: 'AuthorizedClient',
        unit: 'scans',
        text: 'Outputs only every n-th scan.',
      },
    ),
  },
  { variant: 'basic' },
);
