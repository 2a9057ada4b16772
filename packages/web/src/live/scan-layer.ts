import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { colourOfScanner, type PlanColours, pixelOf, rgbOf, scaleEnd, scalePixels } from '../plan/colours.js';
import type { Layer, Pen } from '../plan/floor-plan.js';
import type { Viewport } from '../plan/plan.js';
import type { Colouring, LiveState } from './live-state.js';
import { Pixels, type PointPaint, stampsFor } from './pixels.js';
import type { StoredScan } from './scan-history.js';
import type { ScanSource } from './scan-source.js';

/** Number of drawings after which the scale of strengths is fitted again. */
const fitEvery = 25;

/** The colour scale of signal strengths. */
export interface StrengthScale {
  /** The strength at its end. */
  readonly strongest: number;
  /** True for the scale on a dark background. */
  readonly isDark: boolean;
}

/** The end of the scale before the first scan. */
const unfitted = 1;

/** The points of the scans in sight, rings around reflectors, and below them the area that the scanners see into. */
export class ScanLayer implements Layer {
  readonly name = 'scan';
  readonly isLively = true;
  readonly #state: LiveState;
  readonly #pixels = new Pixels();
  readonly #scale: Signal<StrengthScale> = signal({ strongest: unfitted, isDark: false });
  readonly scale: ReadonlySignal<StrengthScale> = this.#scale;
  #colours: PlanColours | undefined;
  #paint: ScanPaint | undefined;
  #fitAt = 0;

  constructor(state: LiveState) {
    this.#state = state;
  }

  draw(pen: Pen): void {
    const { context, colours, pixelRatio } = pen;
    const count = this.#state.scans.value;
    const colouring = this.#state.colouring.value;
    const compared = this.#state.comparison.shown.value;
    const at = this.#state.shownAt.peek();
    if (colouring === 'strength' && (count >= this.#fitAt || colours !== this.#colours)) {
      this.#fitScale(colours.isDark);
      // The first scan fits it, however many drawings were empty before.
      this.#fitAt = this.#scale.peek().strongest === unfitted ? 0 : count + fitEvery;
    }
    const stamps = stampsFor(pixelRatio);
    const paint = this.#paintOf(colours);
    paint.hasRings = this.#state.showsReflectors.value;
    this.#pixels.clear(context.canvas.width, context.canvas.height);
    for (let index = 0; index < this.#state.sources.length; index++) {
      const source = this.#state.sources[index];
      const scan = source?.scanAt(at);
      if (source === undefined || scan === undefined) continue;
      const placement = source.placement.value;
      const points =
        compared === undefined
          ? paint.of(colouring, index, this.#scale.peek().strongest)
          : paint.compared(compared.source === source);
      this.#pixels.scan(source.history, scan, placement, pen, points, stamps);
    }
    this.#pixels.show(context);
    if (this.#state.showsSeen.value) drawSeen(this.#state, pen);
  }

  #paintOf(colours: PlanColours): ScanPaint {
    if (this.#paint === undefined || this.#colours !== colours) {
      this.#colours = colours;
      this.#paint = new ScanPaint(colours, this.#state.sources.length);
    }
    return this.#paint;
  }

  #fitScale(isDark: boolean): void {
    const before = this.#scale.peek();
    const strongest = strongestOf(this.#state.sources, before.strongest);
    if (strongest !== before.strongest || isDark !== before.isDark) this.#scale.value = { strongest, isDark };
  }
}

/** The pixels of a theme. They are made once for each theme. */
class ScanPaint {
  readonly #scale: Uint32Array;
  readonly #byEcho: Uint32Array;
  readonly #bySource: readonly Uint32Array[];
  readonly #after: PointPaint;
  readonly #others: PointPaint;
  readonly #ring: number;
  /** True if reflectors have rings. */
  hasRings = true;

  constructor(colours: PlanColours, sources: number) {
    this.#scale = scalePixels(colours.isDark);
    const pixel = (colour: string) => pixelOf(rgbOf(colour));
    this.#byEcho = Uint32Array.of(pixel(colours.accent), pixel(colours.warn), pixel(colours.good));
    this.#bySource = Array.from({ length: sources }, (_, index) =>
      new Uint32Array(3).fill(pixel(colourOfScanner(colours, index))),
    );
    this.#ring = pixel(colours.bad);
    this.#after = plainPaint(pixel(colours.accent));
    this.#others = plainPaint(pixel(colours.soft));
  }

  /** Returns the colour of points while scans are compared. @param isIt true for the scanner that was changed */
  compared(isIt: boolean): PointPaint {
    return isIt ? this.#after : this.#others;
  }

  /** Returns the shape and the colours of the points of a scanner. @param index of the scanner */
  of(colouring: Colouring, index: number, strongest: number): PointPaint {
    const own = this.#bySource[index];
    return {
      byEcho: colouring === 'echo',
      scale: colouring === 'strength' ? this.#scale : undefined,
      scaleEnd: strongest,
      echoes: colouring === 'echo' || own === undefined ? this.#byEcho : own,
      ring: this.hasRings ? this.#ring : undefined,
    };
  }
}

/** Points of one colour and shape. */
function plainPaint(pixel: number): PointPaint {
  const echoes = new Uint32Array(3).fill(pixel);
  return { byEcho: false, scale: undefined, scaleEnd: 1, echoes, ring: undefined };
}

/** Number of steps in which signal strengths are counted. */
const steps = 512;
const perStep = 65_536 / steps;
const counts = new Uint32Array(steps);
/** Share of the echoes that the scale covers: the few stronger ones, from reflectors, would take most of it. */
const counted = 0.92;

/**
 * The end of the scale of strengths: nearly all echoes of the newest scans are below it.
 * @param current the present end
 */
function strongestOf(sources: readonly ScanSource[], current: number): number {
  counts.fill(0);
  let all = 0;
  for (const { history } of sources) {
    const scan = history.newest;
    if (scan === undefined || !scan.hasRssi) continue;
    for (let echo = scan.firstEcho; echo < scan.firstEcho + scan.echoes; echo++) {
      const step = Math.floor((history.rssi[echo] ?? 0) / perStep);
      counts[step] = (counts[step] ?? 0) + 1;
    }
    all += scan.echoes;
  }
  if (all === 0) return current;
  let step = 0;
  for (let below = counts[0] ?? 0; below < all * counted; below += counts[step] ?? 0) step++;
  return scaleEnd((step + 1) * perStep, current);
}

/** The scanners whose areas are drawn: a part of `LiveState`. */
export interface SeenBy {
  readonly sources: readonly Pick<ScanSource, 'history' | 'placement' | 'scanAt'>[];
  readonly colouring: ReadonlySignal<Colouring>;
  /** The time that is shown; undefined while the view is live. */
  readonly shownAt: ReadonlySignal<number | undefined>;
}

/** Largest number of corners of an area. If there are more beams, the area has every second one, or fewer. */
const mostCorners = 1200;
/** Beams without an echo that an area spans: single ones would make it flicker. */
const spanned = 3;
const opacity = 0.07;

/**
 * Tints the area that each scanner sees into, up to the first echo of each beam: the rest is unknown. The tint lies
 * below the content of the canvas.
 */
export function drawSeen(state: SeenBy, { context, viewport, colours }: Pen): void {
  const at = state.shownAt.peek();
  context.globalAlpha = opacity;
  context.globalCompositeOperation = 'destination-over';
  for (const [index, source] of state.sources.entries()) {
    const scan = source.scanAt(at);
    if (scan === undefined) continue;
    context.fillStyle = colourOfScanner(colours, state.colouring.value === 'scanner' ? index : 0);
    fillSeen(context, viewport, source, scan);
  }
  context.globalCompositeOperation = 'source-over';
  context.globalAlpha = 1;
}

function fillSeen(
  context: CanvasRenderingContext2D,
  viewport: Viewport,
  { history, placement }: SeenBy['sources'][number],
  scan: StoredScan,
): void {
  const { beams, firstBeam, firstEcho, directions } = scan;
  const { masks, distance } = history;
  const { cos, sin } = directions;
  const place = placement.value;
  const { scale } = viewport;
  const left = viewport.width / 2 - (place.y - viewport.y) * scale;
  const top = viewport.height / 2 - (place.x - viewport.x) * scale;
  const every = Math.ceil(beams / mostCorners);
  let echo = firstEcho;
  let missed = 0;
  context.beginPath();
  context.moveTo(left, top);
  for (let beam = 0; beam < beams; beam++) {
    let mask = masks[firstBeam + beam] ?? 0;
    if (mask === 0) {
      missed++;
      if (missed === spanned * every) context.lineTo(left, top);
      continue;
    }
    const range = (distance[echo] ?? 0) * scale;
    for (; mask !== 0; mask &= mask - 1) echo++;
    if (missed === 0 && beam % every !== 0) continue;
    missed = 0;
    const ahead = cos[beam] ?? 0;
    const aside = sin[beam] ?? 0;
    context.lineTo(
      left - range * (place.yu * ahead + place.yv * aside),
      top - range * (place.xu * ahead + place.xv * aside),
    );
  }
  context.closePath();
  context.fill();
}
