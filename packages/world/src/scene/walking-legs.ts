import type { Surfaces } from './materials.js';
import { type BodyOutlines, OutlineBuilder } from './outline.js';
import type { Legs } from './scene-file.js';

/** The outline of a leg, about its own middle. */
export function legOutlines({ radius, material }: Legs, surfaces: Surfaces): BodyOutlines {
  const leg = new OutlineBuilder();
  const none = new OutlineBuilder().build();
  const number = surfaces.numberOf(material);
  leg.circle([0, 0], radius, number);
  const outline = leg.build();
  return (surfaces.transparency[number] ?? 0) > 0
    ? { opaque: none, glass: outline, fog: none }
    : { opaque: outline, glass: none, fog: none };
}

/** How far ahead of the middle the left leg is after so many metres; the right one is as far behind. */
export function legAhead({ stride }: Legs, travelled: number): number {
  return (stride / 2) * Math.sin((Math.PI * travelled) / stride);
}
