import type { Surfaces } from './materials.js';
import { radiansPerDegree } from './pose.js';
import type { Bodies, Legs } from './scene-file.js';

type Point = readonly [number, number];

/** Lines and circles as arrays of numbers, with what belongs to each of them (a material, a fog area). */
export interface Outline {
  /** x and y of one end and of the other, in m: 4 numbers a line. */
  readonly lines: Float64Array;
  readonly ofLine: Uint32Array;
  /** x and y of the middle and radius, in m: 3 numbers a circle. */
  readonly circles: Float64Array;
  readonly ofCircle: Uint32Array;
}

/** Collects an outline. */
export class OutlineBuilder {
  readonly #lines: number[] = [];
  readonly #ofLine: number[] = [];
  readonly #circles: number[] = [];
  readonly #ofCircle: number[] = [];

  line([x1, y1]: Point, [x2, y2]: Point, of: number): void {
    this.#lines.push(x1, y1, x2, y2);
    this.#ofLine.push(of);
  }

  /** Lines from point to point, and from the last to the first where it is closed. */
  chain(points: readonly Point[], closed: boolean, of: number): void {
    for (const [index, point] of points.entries()) {
      const next = points[index + 1] ?? (closed ? points[0] : undefined);
      if (next !== undefined) this.line(point, next, of);
    }
  }

  circle([x, y]: Point, radius: number, of: number): void {
    this.#circles.push(x, y, radius);
    this.#ofCircle.push(of);
  }

  build(): Outline {
    return {
      lines: Float64Array.from(this.#lines),
      ofLine: Uint32Array.from(this.#ofLine),
      circles: Float64Array.from(this.#circles),
      ofCircle: Uint32Array.from(this.#ofCircle),
    };
  }
}

/** What a body is made of, by what it does with light. */
export interface BodyOutlines {
  readonly opaque: Outline;
  readonly glass: Outline;
  /** Outlines of fog areas, counter-clockwise. */
  readonly fog: Outline;
}

/**
 * Takes shapes apart into lines and circles.
 * @param densities gets the density of each fog area; the fog outline points into it
 */
export function outlinesOf(bodies: Bodies, surfaces: Surfaces, densities: number[]): BodyOutlines {
  const opaque = new OutlineBuilder();
  const glass = new OutlineBuilder();
  const fog = new OutlineBuilder();
  const builderOf = (material: number) => ((surfaces.transparency[material] ?? 0) > 0 ? glass : opaque);
  for (const { from, to, material } of bodies.walls) {
    const number = surfaces.numberOf(material);
    builderOf(number).line(from, to, number);
  }
  for (const { points, material } of bodies.polylines) {
    const number = surfaces.numberOf(material);
    builderOf(number).chain(points, false, number);
  }
  for (const { points, material } of bodies.polygons) {
    const number = surfaces.numberOf(material);
    builderOf(number).chain(points, true, number);
  }
  for (const box of bodies.boxes) {
    const number = surfaces.numberOf(box.material);
    builderOf(number).chain(cornersOf(box), true, number);
  }
  for (const { center, radius, material } of bodies.circles) {
    const number = surfaces.numberOf(material);
    builderOf(number).circle(center, radius, number);
  }
  for (const { points, center, radius, density } of bodies.fog) {
    const area = densities.push(density) - 1;
    if (points !== undefined) fog.chain(counterClockwise(points), true, area);
    else if (center !== undefined && radius !== undefined) fog.circle(center, radius, area);
  }
  return { opaque: opaque.build(), glass: glass.build(), fog: fog.build() };
}

/** The outline of a leg, about its own middle. */
export function legOutlines({ radius, material }: Legs, surfaces: Surfaces): BodyOutlines {
  const leg = new OutlineBuilder();
  const none = new OutlineBuilder().build();
  const number = surfaces.numberOf(material);
  leg.circle([0, 0], radius, number);
  const outline = leg.build();
  return (surfaces.transparency[number] ?? 0) > 0
    ? { opaque: none, glass: outline, fog: none }
    : { opaque: outline, glass: none, fog: none };
}

function cornersOf({ center, size, heading }: Bodies['boxes'][number]): Point[] {
  const cosine = Math.cos(heading * radiansPerDegree);
  const sine = Math.sin(heading * radiansPerDegree);
  const corner = (ahead: number, left: number): Point => [
    center[0] + (ahead * size[0] * cosine - left * size[1] * sine) / 2,
    center[1] + (ahead * size[0] * sine + left * size[1] * cosine) / 2,
  ];
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

function counterClockwise(points: readonly Point[]): readonly Point[] {
  let doubleArea = 0;
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    doubleArea += x * nextY - y * nextX;
  }
  return doubleArea < 0 ? points.toReversed() : points;
}
