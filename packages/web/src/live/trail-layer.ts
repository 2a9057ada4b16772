import { computed, type ReadonlySignal } from '@preact/signals';
import { type PlanColours, pixelOf, rgbOf } from '../plan/colours.js';
import type { Layer, Pen } from '../plan/floor-plan.js';
import type { LiveState } from './live-state.js';
import { Pixels, type Stamp, stampsFor } from './pixels.js';
import type { ScanSource } from './scan-source.js';

/** Largest number of scans in a trail. If there are more, the trail has every second one, or fewer. */
const mostInTrail = 40;

/**
 * Positions of points in the last seconds, fading. It is drawn only when a scan joins it: the longer the trail, the
 * fewer of the scans are in it.
 */
export class TrailLayer implements Layer {
  readonly name = 'trail';
  readonly isLively = true;
  readonly #state: LiveState;
  readonly #pixels = new Pixels();
  /** Changes when a scan joins the trail. */
  readonly #joined: ReadonlySignal<number>;
  #colours: PlanColours | undefined;
  #paint: TrailPaint | undefined;

  constructor(state: LiveState) {
    this.#state = state;
    this.#joined = computed(() => {
      void state.scans.value;
      return state.sources.reduce((sum, source) => sum + this.#newestIn(source), 0);
    });
  }

  isShown(): boolean {
    return this.#state.trail.value > 0;
  }

  draw(pen: Pen): void {
    const { context, colours, pixelRatio } = pen;
    void this.#joined.value;
    void this.#state.shownAt.value;
    if (this.#paint === undefined || this.#colours !== colours) {
      this.#colours = colours;
      this.#paint = new TrailPaint(colours);
    }
    const { speck } = stampsFor(pixelRatio);
    this.#pixels.clear(context.canvas.width, context.canvas.height);
    for (const source of this.#state.sources) this.#drawTrail(source, pen, this.#paint, speck);
    this.#pixels.show(context);
  }

  #drawTrail(source: ScanSource, pen: Pen, paint: TrailPaint, speck: Stamp): void {
    const { history } = source;
    const placement = source.placement.value;
    const length = this.#state.trail.peek() * 1000;
    const { first, last, every } = this.#scansOf(source);
    const until = history.scans[last]?.at ?? 0;
    for (let place = first; place <= last; place++) {
      const scan = history.scans[place];
      // By its number, so that the same scans stay in the trail until they are too old.
      if (scan === undefined || scan.number % every !== 0) continue;
      this.#pixels.trace(history, scan, placement, pen, paint.pixel((until - scan.at) / length), speck);
    }
  }

  /** The scans of the trail lie in the history from `first` to `last`; the number of each can be divided by `every`. */
  #scansOf({ history }: ScanSource) {
    const until = this.#state.shownAt.peek() ?? history.newest?.at ?? 0;
    const first = history.placeAt(until - this.#state.trail.peek() * 1000) + 1;
    const last = history.placeAt(until) - 1;
    return { first, last, every: Math.max(1, Math.ceil((last - first + 1) / mostInTrail)) };
  }

  /** Number of the scan that joined the trail last. It rises with each scan. */
  #newestIn(source: ScanSource): number {
    const { last, every } = this.#scansOf(source);
    return Math.floor((source.history.scans[last]?.number ?? 0) / every);
  }
}

/** Steps in which a trail fades. */
const fadings = 16;
/** Opacity of a trail at its newest and oldest point, 0 to 255. */
const opacity = { newest: 150, oldest: 20 } as const;

/** The pixels of trails in a theme: the older, the fainter. */
class TrailPaint {
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
