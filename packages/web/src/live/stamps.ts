/** A small picture of one colour: the pixels that it covers, about its middle. */
export interface Stamp {
  readonly x: Int8Array;
  readonly y: Int8Array;
  /** How far its pixels are from the middle at most. */
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
export interface Stamps {
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

/** Those of the pixel ratio that was asked for last. */
let made: { readonly pixelRatio: number; readonly stamps: Stamps } | undefined;

/** @param pixelRatio pixels a CSS pixel; the shapes have about the same size on every screen */
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
