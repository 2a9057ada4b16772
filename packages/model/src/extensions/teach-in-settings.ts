import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';

/** mm. */
const furthest = 5000;
/** ms. */
const longest = 60_000;

/** How the next teach-in makes a contour of what it sees. */
export const teachInSettings = struct(
  {
    /** mm that a contour keeps before what was seen. */
    DistanceInFront: integer('uint16', { maximum: furthest, initial: 50 }),
    /** mm that a contour as reference reaches behind what was seen. */
    DistanceBehind: integer('uint16', { maximum: furthest, initial: 50 }),
    /** ms for which something has to be seen until it counts. */
    MinimumTime: integer('uint16', { maximum: longest }),
  },
  { optional: ['DistanceInFront', 'DistanceBehind', 'MinimumTime'] },
);

export type TeachInSettings = TypeOf<typeof teachInSettings>;
