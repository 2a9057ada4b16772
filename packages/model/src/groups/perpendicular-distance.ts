import { event, group } from '../declaration.js';
import { array } from '../types/array.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';
import { evaluationSlots } from './field-evaluation.js';

/** A coordinate in mm. */
const coordinate = () => integer('int32', { minimum: -500_000, maximum: 500_000 });
const position = struct({ x: coordinate(), y: coordinate(), z: coordinate() });

export const perpendicularDistance = group(
  'Perpendicular distance',
  {
    perpendicularDistanceResult: event(
      struct({
        timestamp: integer('uint64'),
        evaluations: array(
          struct({
            evaluationId: integer('uint16'),
            minimumDistance: integer('int32'),
            maximumDistance: integer('int32'),
            minimumDistancePosition: position,
            maximumDistancePosition: position,
          }),
          { maxItems: evaluationSlots },
        ),
      }),
      {
        since: '2.1.0',
        unit: 'ms; mm',
        units: { timestamp: 'ms', minimumDistance: 'mm', maximumDistance: 'mm', x: 'mm', y: 'mm', z: 'mm' },
        text: 'Smallest and largest distance from the reference line of each evaluation, with their positions.',
      },
    ),
  },
  { section: 'application', variant: 'full' },
);
