import { shades } from '../live/colour-scale.js';
import { rangeOf } from './orbit.js';
import type { Cloud } from './pcd.js';

/** What the colours of points mean. */
export type Colouring = 'height' | 'strength';

/** The colour of each point on the scale, and what its ends mean (m or RSSI). */
export interface ShadedPoints {
  readonly shades: Uint8Array;
  readonly from: number;
  readonly to: number;
}

export function shadedBy(colouring: Colouring, { count, places, strengths }: Cloud): ShadedPoints {
  const value =
    colouring === 'strength' && strengths !== undefined
      ? (index: number) => strengths[index] ?? 0
      : (index: number) => places[3 * index + 2] ?? 0;
  const [from, to] = rangeOf(value, count);
  const perShade = to > from ? (shades - 1) / (to - from) : 0;
  const shaded = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const shade = (value(index) - from) * perShade;
    shaded[index] = Math.min(shades - 1, Math.max(0, Math.round(shade)));
  }
  return { shades: shaded, from, to };
}
