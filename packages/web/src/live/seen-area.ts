import type { ReadonlySignal } from '@preact/signals';
import { colourOfScanner } from './colours.js';
import type { Pen } from './layer.js';
import type { Colouring } from './live-state.js';
import type { KeptScan } from './scan-history.js';
import type { ScanSource } from './scan-source.js';
import type { Viewport } from './viewport.js';

/** Whose areas are drawn: a part of `LiveState`. */
export interface SeenBy {
  readonly sources: readonly Pick<ScanSource, 'history' | 'placement' | 'scanAt'>[];
  readonly colouring: ReadonlySignal<Colouring>;
  /** The time that is shown; undefined while the view is live. */
  readonly shownAt: ReadonlySignal<number | undefined>;
}

/** Corners of an area at most: of more beams, it takes every second one, or fewer. */
const mostCorners = 1200;
/** Beams without an echo that an area spans: single ones would make it flicker. */
const spanned = 3;
const opacity = 0.07;

/**
 * Tints the area that each scanner sees into, up to the first echo of each beam: what lies outside is unknown. It lies below
 * what is on the canvas.
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
  scan: KeptScan,
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
