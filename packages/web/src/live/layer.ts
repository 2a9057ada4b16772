import type { PlanColours } from './colours.js';
import type { Viewport } from './viewport.js';

/** What a layer draws with. */
export interface Pen {
  /** Its coordinates are CSS pixels of the view. It is clear when the layer begins. */
  readonly context: CanvasRenderingContext2D;
  readonly viewport: Viewport;
  readonly colours: PlanColours;
  /** Pixels of the canvas a CSS pixel. */
  readonly pixelRatio: number;
}

/**
 * A picture on the floor plan, on a canvas of its own. It is drawn again when the view or the theme changes, or a signal
 * that `draw` has read. So a layer that changes with each scan leaves the others alone.
 */
export interface Layer {
  /** What it shows, for the attribute `data-layer` of its canvas. */
  readonly name: string;
  /** Is it drawn with each scan? Then its canvas has a limit of pixels, as each of them costs time in each drawing. */
  readonly isLively?: true;
  /** Has it anything to show? If not, its canvas is hidden and costs nothing. Default: yes. */
  isShown?(): boolean;
  draw(pen: Pen): void;
}

/** More pixels a CSS pixel cost time, and nobody sees them in points. */
const largestRatio = 2;
/** Pixels of a canvas that is drawn with each scan, on screens with more than one pixel a CSS pixel. */
const mostLivelyPixels = 3_000_000;

/**
 * Pixels of a canvas a CSS pixel: those of the screen, up to 2, so that lines are sharp. A lively layer on a large screen
 * has fewer, but at least one.
 * @param ofScreen pixels of the screen a CSS pixel
 */
export function pixelRatioOf(layer: Pick<Layer, 'isLively'>, view: Viewport, ofScreen: number): number {
  const ratio = Math.min(largestRatio, ofScreen);
  if (layer.isLively !== true || ratio <= 1) return ratio;
  return Math.max(1, Math.min(ratio, Math.sqrt(mostLivelyPixels / (view.width * view.height))));
}
