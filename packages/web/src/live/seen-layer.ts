import { colourOfScanner } from './colours.js';
import type { Layer, Pen } from './layer.js';
import type { LiveState } from './live-state.js';
import type { KeptScan } from './scan-history.js';
import type { ScanSource } from './scan-source.js';

/** Corners of an area at most: of more beams, it takes every second one, or fewer. */
const mostCorners = 1200;
/** Beams without an echo that an area spans: single ones would make it flicker. */
const spanned = 3;
const opacity = 0.07;

/** The area that each scanner sees into, up to the first echo of each beam: what lies outside is unknown. */
export function seenLayer(state: LiveState): Layer {
  return {
    name: 'seen',
    draw(pen) {
      if (!state.showsSeen.value) return;
      void state.scans.value;
      const at = state.shownAt.peek();
      const { context, colours } = pen;
      context.globalAlpha = opacity;
      for (let index = 0; index < state.sources.length; index++) {
        const source = state.sources[index];
        const scan = source?.scanAt(at);
        if (source === undefined || scan === undefined) continue;
        context.fillStyle = colourOfScanner(colours, state.colouring.value === 'scanner' ? index : 0);
        fillSeen(pen, source, scan);
      }
      context.globalAlpha = 1;
    },
  };
}

function fillSeen({ context, viewport }: Pen, { history, placement }: ScanSource, scan: KeptScan): void {
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
