import { perpendicularDistance } from '@azimuth/model';
import { computed, type Room } from '../room.js';
import type { PerpendicularDistances } from './perpendicular-distances.js';

const { perpendicularDistanceResult } = perpendicularDistance.members;

/** How far things are from a line. */
export function perpendicularDistanceRoom(distances: PerpendicularDistances): Room {
  return { computed: [computed(perpendicularDistanceResult, () => distances.result)] };
}
