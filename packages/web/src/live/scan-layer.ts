import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PlanColours } from './colours.js';
import type { Layer, Pen } from './layer.js';
import type { LiveState } from './live-state.js';
import { Pixels } from './pixels.js';
import { ScanPaint, strongestOf } from './scan-paint.js';
import { drawSeen } from './seen-area.js';
import { stampsFor } from './stamps.js';

/** Drawings after which the scale of strengths is fitted anew. */
const fitEvery = 25;

/** The colour scale of signal strengths. */
export interface StrengthScale {
  /** The strength at its end. */
  readonly strongest: number;
  /** Is it the one for a dark background? */
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
  #colours: PlanColours | undefined;
  #paint: ScanPaint | undefined;
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
    const at = this.#state.shownAt.peek();
    if (colouring === 'strength' && (count >= this.#fitAt || colours !== this.#colours)) {
      this.#fitScale(colours.isDark);
      // The first scan fits it, however many drawings were empty before.
      this.#fitAt = this.#scale.peek().strongest === unfitted ? 0 : count + fitEvery;
    }
    const stamps = stampsFor(pixelRatio);
    const paint = this.#paintOf(colours);
    this.#pixels.clear(context.canvas.width, context.canvas.height);
    for (let index = 0; index < this.#state.sources.length; index++) {
      const source = this.#state.sources[index];
      const scan = source?.scanAt(at);
      if (source === undefined || scan === undefined) continue;
      const placement = source.placement.value;
      const points = paint.of(colouring, index, this.#scale.peek().strongest);
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
