import { reflectorEchoes } from '@azimuth/client';
import type { Placement } from '../plan/placement.js';
import type { Viewport } from '../plan/plan.js';
import { countOf } from './beam-reading.js';
import type { StoredEchoes } from './scan-change.js';
import type { ScanHistory, StoredScan } from './scan-history.js';

/** A small picture of one colour: the pixels that it covers, about its middle. */
export interface Stamp {
  readonly x: Int8Array;
  readonly y: Int8Array;
  /** Largest distance of its pixels from the middle. */
  readonly reach: number;
}

function stampOf(reach: number, covers: (x: number, y: number) => boolean): Stamp {
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      if (!covers(x, y)) continue;
      xs.push(x);
      ys.push(y);
    }
  }
  return { x: Int8Array.from(xs), y: Int8Array.from(ys), reach };
}

/** The shapes of points on a canvas. */
interface Stamps {
  /** A point whose echo does not matter. */
  readonly dot: Stamp;
  /** A point of a trail. */
  readonly speck: Stamp;
  /** By echo, the nearest first: a disc, a cross, a rhombus without a middle. Later ones look like the third. */
  readonly echoes: readonly [Stamp, Stamp, Stamp];
  /** Around a reflector. */
  readonly ring: Stamp;
}

function disc(radius: number): (x: number, y: number) => boolean {
  // The smallest one is a square: nothing rounder has three pixels.
  return (x, y) => radius < 2 || Math.hypot(x, y) <= radius + 0.3;
}

/** Shapes for the pixel ratio of the last call. */
let made: { readonly pixelRatio: number; readonly stamps: Stamps } | undefined;

/** @param pixelRatio pixels per CSS pixel; the shapes have about the same size on every screen */
export function stampsFor(pixelRatio: number): Stamps {
  if (made?.pixelRatio !== pixelRatio) made = { pixelRatio, stamps: makeStamps(pixelRatio) };
  return made.stamps;
}

function makeStamps(pixelRatio: number): Stamps {
  const size = (cssPixels: number) => Math.max(1, Math.round(cssPixels * pixelRatio));
  const dot = size(1);
  const mark = size(2);
  const width = size(0.5) - 1;
  const radius = size(6);
  return {
    dot: stampOf(dot, disc(dot)),
    speck: stampOf(Math.max(0, dot - 1), () => true),
    echoes: [
      stampOf(dot, disc(dot)),
      stampOf(mark + 1, (x, y) => Math.abs(Math.abs(x) - Math.abs(y)) <= width),
      stampOf(mark + 1, (x, y) => Math.abs(Math.abs(x) + Math.abs(y) - mark - 1) <= width),
    ],
    ring: stampOf(radius, (x, y) => Math.abs(Math.hypot(x, y) - radius + 0.5) < 0.75 * pixelRatio),
  };
}

/** Colours of points. */
export interface PointPaint {
  /** The shape of a point shows its echo. */
  readonly byEcho: boolean;
  /** Pixels by signal strength; undefined if it does not matter. */
  readonly scale: Uint32Array | undefined;
  /** The strength at the end of the scale. */
  readonly scaleEnd: number;
  /** Pixels by echo; the last one is for all further echoes. */
  readonly echoes: Uint32Array;
  /** Pixels of the rings around reflectors; undefined without rings. */
  readonly ring: number | undefined;
}

/** A picture whose pixels are written one by one. Nothing is allocated while it is drawn. */
export class Pixels {
  #image: ImageData | undefined;
  #pixels = new Uint32Array(0);
  #width = 0;
  #height = 0;

  /** Begins an empty picture. */
  clear(width: number, height: number): void {
    if (this.#image === undefined || this.#width !== width || this.#height !== height) {
      this.#image = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
      this.#width = width;
      this.#height = height;
      return;
    }
    this.#pixels.fill(0);
  }

  /** Puts the picture on a canvas, in place of the earlier content. */
  show(context: CanvasRenderingContext2D): void {
    if (this.#image !== undefined) context.putImageData(this.#image, 0, 0);
  }

  /** Draws the points of a scan in their colours, and rings around reflectors. */
  scan(
    { masks, properties, distance, rssi }: ScanHistory,
    scan: StoredScan,
    placement: Placement,
    { viewport, pixelRatio }: { readonly viewport: Viewport; readonly pixelRatio: number },
    paint: PointPaint,
    stamps: Stamps,
  ): void {
    const { beams, firstBeam, directions, hasRssi } = scan;
    const { cos, sin } = directions;
    const scale = viewport.scale * pixelRatio;
    const left = (viewport.width / 2) * pixelRatio - (placement.y - viewport.y) * scale;
    const top = (viewport.height / 2) * pixelRatio - (placement.x - viewport.x) * scale;
    const { byEcho, echoes, ring } = paint;
    const colours = hasRssi ? paint.scale : undefined;
    const perShade = 255 / paint.scaleEnd;
    let place = scan.firstEcho;
    for (let beam = 0; beam < beams; beam++) {
      const mask = masks[firstBeam + beam] ?? 0;
      if (mask === 0) continue;
      const ahead = cos[beam] ?? 0;
      const aside = sin[beam] ?? 0;
      const perMetreLeft = -scale * (placement.yu * ahead + placement.yv * aside);
      const perMetreTop = -scale * (placement.xu * ahead + placement.xv * aside);
      const first = place;
      const marks = properties[firstBeam + beam] ?? 0;
      const reflectors = reflectorEchoes(marks, distance, hasRssi ? rssi : undefined, first, countOf(mask));
      for (let echo = 0; mask >> echo !== 0; echo++) {
        if (((mask >> echo) & 1) === 0) continue;
        const range = distance[place] ?? 0;
        const x = Math.round(left + perMetreLeft * range);
        const y = Math.round(top + perMetreTop * range);
        const kind = echo > 2 ? 2 : echo;
        const strength = (rssi[place] ?? 0) * perShade;
        const pixel =
          colours === undefined ? (echoes[kind] ?? 0) : (colours[strength > 255 ? 255 : strength | 0] ?? 0);
        this.#stamp(byEcho ? stamps.echoes[kind === 0 ? 0 : kind === 1 ? 1 : 2] : stamps.dot, x, y, pixel);
        if (ring !== undefined && (reflectors >> (place - first)) & 1) this.#stamp(stamps.ring, x, y, ring);
        place++;
      }
    }
  }

  /** Draws the points of a scan in one colour. */
  trace(
    { masks, distance }: StoredEchoes,
    { beams, firstBeam, firstEcho, directions }: StoredScan,
    placement: Placement,
    { viewport, pixelRatio }: { readonly viewport: Viewport; readonly pixelRatio: number },
    pixel: number,
    stamp: Stamp,
  ): void {
    const { cos, sin } = directions;
    const scale = viewport.scale * pixelRatio;
    const left = (viewport.width / 2) * pixelRatio - (placement.y - viewport.y) * scale;
    const top = (viewport.height / 2) * pixelRatio - (placement.x - viewport.x) * scale;
    let place = firstEcho;
    for (let beam = 0; beam < beams; beam++) {
      let mask = masks[firstBeam + beam] ?? 0;
      if (mask === 0) continue;
      const ahead = cos[beam] ?? 0;
      const aside = sin[beam] ?? 0;
      const perMetreLeft = -scale * (placement.yu * ahead + placement.yv * aside);
      const perMetreTop = -scale * (placement.xu * ahead + placement.xv * aside);
      for (; mask !== 0; mask &= mask - 1) {
        const range = distance[place++] ?? 0;
        this.#stamp(
          stamp,
          Math.round(left + perMetreLeft * range),
          Math.round(top + perMetreTop * range),
          pixel,
        );
      }
    }
  }

  #stamp(stamp: Stamp, x: number, y: number, pixel: number): void {
    const { reach } = stamp;
    const width = this.#width;
    if (x < reach || y < reach || x >= width - reach || y >= this.#height - reach) return;
    const middle = y * width + x;
    const pixels = this.#pixels;
    for (let index = 0; index < stamp.x.length; index++) {
      pixels[middle + (stamp.y[index] ?? 0) * width + (stamp.x[index] ?? 0)] = pixel;
    }
  }
}
