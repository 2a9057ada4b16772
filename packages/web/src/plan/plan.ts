import type { Point } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** A point of the floor plan in m: `x` ahead, `y` to the left, in the coordinates of the machine. */
export interface PlanPoint {
  readonly x: number;
  readonly y: number;
}

/** A point of the screen in CSS pixels from the upper left corner of the view. */
export interface ScreenPoint {
  readonly left: number;
  readonly top: number;
}

/** A rectangle of the floor plan, in m. */
export interface PlanBounds {
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
}

/**
 * The part of the floor plan that is in sight. The machine looks up: `x` rises to the top of the screen, and `y` to its
 * left side.
 */
export interface Viewport {
  /** The point in the middle of the view, in m. */
  readonly x: number;
  readonly y: number;
  /** CSS pixels per metre. */
  readonly scale: number;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** The least and the largest scale: from 120 m to each side on a small phone up to a millimetre on two pixels. */
export const scaleRange = { least: 1, largest: 2000 } as const;

/** Margin around content that is fitted into the view, in CSS pixels on each side. */
const margin = 32;

/** The view before anything is known: 10 m to each side. */
export function initialViewport(width: number, height: number): Viewport {
  return fitted({ x: 0, y: 0, scale: 1, width, height }, { minX: -10, maxX: 10, minY: -10, maxY: 10 });
}

export function toScreen({ x, y, scale, width, height }: Viewport, point: PlanPoint): ScreenPoint {
  return { left: width / 2 - (point.y - y) * scale, top: height / 2 - (point.x - x) * scale };
}

export function toPlan({ x, y, scale, width, height }: Viewport, { left, top }: ScreenPoint): PlanPoint {
  return { x: x - (top - height / 2) / scale, y: y - (left - width / 2) / scale };
}

/** Zooms by a factor. The point `about` stays where it is; by default, the middle of the view. */
export function zoomed(
  viewport: Viewport,
  factor: number,
  about: ScreenPoint = { left: viewport.width / 2, top: viewport.height / 2 },
): Viewport {
  const scale = clampedScale(viewport.scale * factor);
  const fixed = toPlan(viewport, about);
  return {
    ...viewport,
    scale,
    x: fixed.x + (about.top - viewport.height / 2) / scale,
    y: fixed.y + (about.left - viewport.width / 2) / scale,
  };
}

/** Moves the content of the view by CSS pixels, to the right and down. */
export function panned(viewport: Viewport, right: number, down: number): Viewport {
  const { x, y, scale } = viewport;
  return { ...viewport, x: x + down / scale, y: y + right / scale };
}

/** Returns the same middle and scale in a view of another size. */
export function resized(viewport: Viewport, width: number, height: number): Viewport {
  return { ...viewport, width, height };
}

/** Shows all of a rectangle, as large as it fits. */
export function fitted(viewport: Viewport, { minX, maxX, minY, maxY }: PlanBounds): Viewport {
  const { width, height } = viewport;
  const room = { across: Math.max(1, width - 2 * margin), up: Math.max(1, height - 2 * margin) };
  const scale = Math.min(room.across / Math.max(maxY - minY, 0.01), room.up / Math.max(maxX - minX, 0.01));
  return { ...viewport, x: (minX + maxX) / 2, y: (minY + maxY) / 2, scale: clampedScale(scale) };
}

/** The part of the floor plan that is in sight. */
export function visibleBounds({ x, y, scale, width, height }: Viewport): PlanBounds {
  const up = height / 2 / scale;
  const across = width / 2 / scale;
  return { minX: x - up, maxX: x + up, minY: y - across, maxY: y + across };
}

/** The rectangle around two others; one of them if the other is missing. */
export function bothBounds(one: PlanBounds | undefined, other: PlanBounds): PlanBounds {
  if (one === undefined) return other;
  return {
    minX: Math.min(one.minX, other.minX),
    maxX: Math.max(one.maxX, other.maxX),
    minY: Math.min(one.minY, other.minY),
    maxY: Math.max(one.maxY, other.maxY),
  };
}

function clampedScale(scale: number): number {
  return Math.min(scaleRange.largest, Math.max(scaleRange.least, scale));
}

/** A floor plan on the screen: the part in sight, and the position of the pointer. */
export class Plan {
  readonly #viewport: Signal<Viewport> = signal(initialViewport(0, 0));
  readonly viewport: ReadonlySignal<Viewport> = this.#viewport;
  readonly #pointer: Signal<PlanPoint | undefined> = signal(undefined);
  /** Position of the pointer over the plan; undefined if it is not over the plan. */
  readonly pointer: ReadonlySignal<PlanPoint | undefined> = this.#pointer;
  readonly #isKeyed: Signal<boolean> = signal(false);
  /** True if the pointer is the middle of the view, because somebody uses the keyboard. */
  readonly isKeyed: ReadonlySignal<boolean> = this.#isKeyed;
  #wanted: PlanBounds | undefined;
  #isMoved = false;

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

  /** Sets the size of the view in CSS pixels. */
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

  /** Shows all of a rectangle, until a person moves the view. */
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

/** A point in mm, of a point of the floor plan. */
export function millimetres({ x, y }: PlanPoint): Point {
  return { x: x * 1000, y: y * 1000 };
}

/** Returns the position on the screen of a point in mm. */
export function onScreen(viewport: Viewport, { x, y }: Point): ScreenPoint {
  return toScreen(viewport, { x: x / 1000, y: y / 1000 });
}

/** The length in mm of this many CSS pixels. */
export function reachOf({ scale }: Viewport, pixels: number): number {
  return (pixels / scale) * 1000;
}

/** The value of `points` of an SVG polygon. */
export function polygonPoints(viewport: Viewport, points: readonly Point[]): string {
  return points
    .map((point) => {
      const { left, top } = onScreen(viewport, point);
      return `${left.toFixed(1)},${top.toFixed(1)}`;
    })
    .join(' ');
}
