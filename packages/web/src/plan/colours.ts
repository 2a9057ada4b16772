import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The tokens of `style/tokens.css` that canvases use. */
type Token = 'view' | 'grid' | 'grid-strong' | 'ink' | 'soft' | 'accent' | 'good' | 'warn' | 'bad' | 'paper';

/** Colours for a canvas, by the names of their tokens, and the theme that they are from. */
export interface PlanColours extends Readonly<Record<Token, string>> {
  readonly isDark: boolean;
}

/** Colours of scanners, by their order. After the last one, they repeat. */
const ofScanners = ['accent', 'warn', 'good', 'ink'] as const satisfies readonly Token[];

/** The number of the colour of a scanner, for the class `scanner-colour-…`. */
export function colourNumber(index: number): number {
  return index % ofScanners.length;
}

export function colourOfScanner(colours: PlanColours, index: number): string {
  return colours[ofScanners[colourNumber(index)] ?? 'accent'];
}

/** The colours of the theme that `element` has now. */
function coloursAt(element: HTMLElement): PlanColours {
  const probe = document.createElement('span');
  element.append(probe);
  const colourOf = (token: Token) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    view: colourOf('view'),
    grid: colourOf('grid'),
    'grid-strong': colourOf('grid-strong'),
    ink: colourOf('ink'),
    soft: colourOf('soft'),
    accent: colourOf('accent'),
    good: colourOf('good'),
    warn: colourOf('warn'),
    bad: colourOf('bad'),
    paper: colourOf('paper'),
  };
  probe.remove();
  return { ...colours, isDark: isDark(colours.view) };
}

/** @param colour `rgb(13, 16, 19)`, as computed styles have it */
function isDark(colour: string): boolean {
  const [red, green, blue] = rgbOf(colour);
  return red + green + blue < 3 * 128;
}

/** Follows the colours of the theme until `stop`. */
export class ThemeColours {
  readonly #element: HTMLElement;
  readonly #colours: Signal<PlanColours>;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #observer = new MutationObserver(() => this.#read());

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#colours = signal(coloursAt(element));
    this.#dark.addEventListener('change', this.#read);
    this.#observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  get colours(): ReadonlySignal<PlanColours> {
    return this.#colours;
  }

  stop(): void {
    this.#dark.removeEventListener('change', this.#read);
    this.#observer.disconnect();
  }

  readonly #read = (): void => {
    this.#colours.value = coloursAt(this.#element);
  };
}

/** Something that is drawn on an element. */
interface CanvasDrawing {
  /** Called at the beginning, and when the size of the element changes. */
  readonly resized: () => void;
  readonly end: () => void;
}

/**
 * Draws on an element while it is shown, in the colours of the theme.
 * @param begin begins to draw
 * @param of the values that are drawn: if one of them changes, the drawing ends and `begin` is called again
 */
export function useCanvasDrawing(
  begin: (element: HTMLDivElement, theme: ThemeColours) => CanvasDrawing | undefined,
  of: readonly unknown[],
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const theme = new ThemeColours(current);
    const drawing = begin(current, theme);
    const size = new ResizeObserver(() => drawing?.resized());
    size.observe(current);
    return () => {
      size.disconnect();
      drawing?.end();
      theme.stop();
    };
  }, of);
  return element;
}

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

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
 * @param current the present end of the scale; it stays as long as it fits
 */
export function scaleEnd(largest: number, current: number): number {
  if (largest <= current && largest > current / 2) return current;
  const decimal = 10 ** Math.floor(Math.log10(Math.max(1, largest)));
  return Math.min(65_535, decimal * (ends.find((end) => end * decimal >= largest) ?? 10));
}
