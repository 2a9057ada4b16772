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
  draw(pen: Pen): void;
}
