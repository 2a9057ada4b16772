import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  fitted,
  initialViewport,
  type PlanBounds,
  type PlanPoint,
  panned,
  resized,
  type ScreenPoint,
  toPlan,
  type Viewport,
  zoomed,
} from './viewport.js';

/** A floor plan as it is looked at: which part is in sight, and where the pointer is. */
export class Plan {
  readonly #viewport: Signal<Viewport> = signal(initialViewport(0, 0));
  readonly #pointer: Signal<PlanPoint | undefined> = signal(undefined);
  readonly #isKeyed: Signal<boolean> = signal(false);
  #wanted: PlanBounds | undefined;
  #isMoved = false;

  get viewport(): ReadonlySignal<Viewport> {
    return this.#viewport;
  }

  /** Where the pointer is over the plan; undefined if it is not over it. */
  get pointer(): ReadonlySignal<PlanPoint | undefined> {
    return this.#pointer;
  }

  /** Is the pointer the middle of the view, as somebody uses the keyboard? */
  get isKeyed(): ReadonlySignal<boolean> {
    return this.#isKeyed;
  }

  /** Puts the pointer into the middle of the view, for the keyboard. */
  pointAtMiddle(): void {
    const { width, height } = this.#viewport.peek();
    this.pointAt({ left: width / 2, top: height / 2 });
    this.#isKeyed.value = true;
  }

  pointAt(place: ScreenPoint | undefined): void {
    this.#isKeyed.value = false;
    this.#pointer.value = place === undefined ? undefined : toPlan(this.#viewport.peek(), place);
  }

  /** Tells the size of the view in CSS pixels. */
  resize(width: number, height: number): void {
    const before = this.#viewport.peek();
    if (before.width === width && before.height === height) return;
    if (this.#isMoved) this.#viewport.value = resized(before, width, height);
    else this.#viewport.value = this.#begin(width, height);
  }

  zoom(factor: number, about?: ScreenPoint): void {
    this.#move(zoomed(this.#viewport.peek(), factor, about));
  }

  /** Moves the content by CSS pixels. */
  pan(right: number, down: number): void {
    this.#move(panned(this.#viewport.peek(), right, down));
  }

  /** Shows all of a rectangle. */
  fit(bounds: PlanBounds): void {
    this.#move(fitted(this.#viewport.peek(), bounds));
  }

  /** Shows all of a rectangle, as long as nobody has chosen what is in sight. */
  suggest(bounds: PlanBounds): void {
    if (this.#isMoved) return;
    this.#wanted = bounds;
    const { width, height } = this.#viewport.peek();
    this.#viewport.value = this.#begin(width, height);
  }

  #begin(width: number, height: number): Viewport {
    const viewport = initialViewport(width, height);
    return this.#wanted === undefined ? viewport : fitted(viewport, this.#wanted);
  }

  #move(viewport: Viewport): void {
    this.#isMoved = true;
    this.#viewport.value = viewport;
  }
}
