import { pixelOf, rgbOf, scaleEnd, scalePixels } from './colour-scale.js';
import { colourOfScanner, type PlanColours } from './colours.js';
import type { Colouring } from './live-state.js';
import type { PointPaint } from './pixels.js';
import type { ScanSource } from './scan-source.js';

/** The pixels of a theme. They are made once for each theme. */
export class ScanPaint {
  readonly #scale: Uint32Array;
  readonly #byEcho: Uint32Array;
  readonly #bySource: readonly Uint32Array[];
  readonly #ring: number;

  constructor(colours: PlanColours, sources: number) {
    this.#scale = scalePixels(colours.isDark);
    const pixel = (colour: string) => pixelOf(rgbOf(colour));
    this.#byEcho = Uint32Array.of(pixel(colours.accent), pixel(colours.warn), pixel(colours.good));
    this.#bySource = Array.from({ length: sources }, (_, index) =>
      new Uint32Array(3).fill(pixel(colourOfScanner(colours, index))),
    );
    this.#ring = pixel(colours.bad);
  }

  /** How the points of a scanner are drawn. @param index of the scanner */
  of(colouring: Colouring, index: number, strongest: number): PointPaint {
    const own = this.#bySource[index];
    return {
      byEcho: colouring === 'echo',
      scale: colouring === 'strength' ? this.#scale : undefined,
      scaleEnd: strongest,
      echoes: colouring === 'echo' || own === undefined ? this.#byEcho : own,
      ring: this.#ring,
    };
  }
}

/** Signal strengths are counted in so many steps. */
const steps = 512;
const perStep = 65_536 / steps;
const counts = new Uint32Array(steps);
/** The part of the echoes that the scale is for: the few that are stronger, from reflectors, would take most of it. */
const counted = 0.92;

/**
 * The end of the scale of strengths: a value that nearly all echoes of the newest scans are below.
 * @param current the end that the scale has
 */
export function strongestOf(sources: readonly ScanSource[], current: number): number {
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
