/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/**
 * A scale whose lightness rises evenly, from dark violet over blue and green to yellow: so it is read without colour
 * vision, too. The stops lie at equal distances.
 */
const stops: readonly Rgb[] = [
  [66, 10, 92],
  [70, 48, 126],
  [56, 86, 140],
  [40, 118, 142],
  [30, 150, 138],
  [62, 182, 114],
  [138, 210, 74],
  [220, 226, 40],
];

/** The parts of the scale that stand out from a light and from a dark background. */
const usable = { light: [0, 0.82], dark: [0.22, 1] } as const;

/** The colour at a part of the scale, 0 to 1. */
export function scaleColour(part: number, isDark: boolean): Rgb {
  const [least, largest] = isDark ? usable.dark : usable.light;
  const place = (least + Math.min(1, Math.max(0, part)) * (largest - least)) * (stops.length - 1);
  const below = Math.min(stops.length - 2, Math.floor(place));
  const [low, high] = [stops[below], stops[below + 1]];
  const mixed = (channel: 0 | 1 | 2) => {
    const from = low?.[channel] ?? 0;
    return Math.round(from + ((high?.[channel] ?? from) - from) * (place - below));
  };
  return [mixed(0), mixed(1), mixed(2)];
}

/** The pixel of a colour in a Uint32Array over ImageData, on computers with the low byte first, as all browsers have. */
export function pixelOf([red, green, blue]: Rgb, alpha = 255): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The colour of text as computed styles have it, `rgb(13, 16, 19)`. */
export function rgbOf(colour: string): Rgb {
  const [red = 128, green = 128, blue = 128] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

/** Colours a strength may have. */
export const shades = 256;

/** The pixels of the scale. */
export function scalePixels(isDark: boolean): Uint32Array {
  return Uint32Array.from({ length: shades }, (_, shade) =>
    pixelOf(scaleColour(shade / (shades - 1), isDark)),
  );
}

/** Ends that a scale may have, in a decimal unit. */
const ends = [1, 1.5, 2, 3, 4, 5, 6, 8, 10] as const;

/**
 * The end of a scale for values up to `largest`: a round number, so that it seldom changes.
 * @param largest the largest value that counts
 * @param current the end that the scale has; kept as long as it fits
 */
export function scaleEnd(largest: number, current: number): number {
  if (largest <= current && largest > current / 2) return current;
  const decimal = 10 ** Math.floor(Math.log10(Math.max(1, largest)));
  return Math.min(65_535, decimal * (ends.find((end) => end * decimal >= largest) ?? 10));
}
