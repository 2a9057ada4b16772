import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PlanColours } from './colours.js';
import type { Layer, Pen } from './layer.js';
import type { LiveState } from './live-state.js';
import { Pixels } from './pixels.js';
import { ScanPaint, strongestOf } from './scan-paint.js';
import type { ScanSource } from './scan-source.js';
import { type Stamps, stampsFor } from './stamps.js';

/** Scans that a trail is made of at most: of more, it takes every second one, or fewer. */
const mostInTrail = 40;
/** Drawings after which the scale of strengths is fitted anew. */
const fitEvery = 25;

/** The colour scale of signal strengths. */
export interface StrengthScale {
  /** The strength at its end. */
  readonly strongest: number;
  /** Is it the one for a dark background? */
  readonly isDark: boolean;
}

/** Before the first scan. */
const unfitted: StrengthScale = { strongest: 1, isDark: false };

/** The points of the scans in sight, their trails, and rings around reflectors. */
export class ScanLayer implements Layer {
  readonly name = 'scan';
  readonly #state: LiveState;
  readonly #pixels = new Pixels();
  readonly #scale: Signal<StrengthScale> = signal(unfitted);
  #colours: PlanColours | undefined;
  #paint: ScanPaint | undefined;
  #pixelRatio = 0;
  #stamps: Stamps = stampsFor(1);
  #fitAt = 0;

  constructor(state: LiveState) {
    this.#state = state;
  }

  get scale(): ReadonlySignal<StrengthScale> {
    return this.#scale;
  }

  draw(pen: Pen): void {
    const { context, colours, pixelRatio } = pen;
    const count = this.#state.scans.value;
    const colouring = this.#state.colouring.value;
    const trail = this.#state.trail.value * 1000;
    const at = this.#state.shownAt.peek();
    if (colouring === 'strength' && (count >= this.#fitAt || colours !== this.#colours)) {
      this.#fitScale(colours.isDark);
      // The first scan fits it, however many drawings were empty before.
      this.#fitAt = this.#scale.peek() === unfitted ? 0 : count + fitEvery;
    }
    if (pixelRatio !== this.#pixelRatio) {
      this.#pixelRatio = pixelRatio;
      this.#stamps = stampsFor(pixelRatio);
    }
    const paint = this.#paintOf(colours);
    this.#pixels.clear(context.canvas.width, context.canvas.height);
    for (let index = 0; index < this.#state.sources.length; index++) {
      const source = this.#state.sources[index];
      const scan = source?.scanAt(at);
      if (source === undefined || scan === undefined) continue;
      const placement = source.placement.value;
      if (trail > 0) this.#drawTrail(source, scan.at, trail, pen, paint);
      const points = paint.of(colouring, index, this.#scale.peek().strongest);
      this.#pixels.scan(source.history, scan, placement, pen, points, this.#stamps);
    }
    this.#pixels.show(context);
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

  #drawTrail(source: ScanSource, until: number, length: number, pen: Pen, paint: ScanPaint): void {
    const { history } = source;
    const placement = source.placement.peek();
    const first = history.placeAt(until - length) + 1;
    const last = history.placeAt(until) - 1;
    const every = Math.max(1, Math.ceil((last - first + 1) / mostInTrail));
    for (let place = first; place <= last; place++) {
      const scan = history.scans[place];
      // By its number, so that the same scans stay in the trail until they are too old.
      if (scan === undefined || scan.number % every !== 0) continue;
      const pixel = paint.trail((until - scan.at) / length);
      this.#pixels.trace(history, scan, placement, pen, pixel, this.#stamps.speck);
    }
  }
}
