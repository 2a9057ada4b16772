import { pixelOf, rgbOf } from './colour-scale.js';
import type { PlanColours } from './colours.js';

/** Steps in which a trail fades. */
const fadings = 16;
/** How opaque a trail is where it is newest and oldest, 0 to 255. */
const opacity = { newest: 150, oldest: 20 } as const;

/** The pixels of trails in a theme: the older, the fainter. */
export class TrailPaint {
  readonly #pixels: Uint32Array;

  constructor({ accent }: PlanColours) {
    const colour = rgbOf(accent);
    this.#pixels = Uint32Array.from({ length: fadings }, (_, step) => {
      const part = step / (fadings - 1);
      return pixelOf(colour, Math.round(opacity.newest + (opacity.oldest - opacity.newest) * part));
    });
  }

  /** @param age 0 for the newest, 1 for the oldest */
  pixel(age: number): number {
    return this.#pixels[Math.max(0, Math.min(fadings - 1, Math.floor(age * fadings)))] ?? 0;
  }
}
