import { radPerDegree } from '@azimuth/device/cores';
import { linesOfOutlines } from '../map/outlines.js';
import type { Bodies, Legs, Material, Scene, SceneMap } from './scene-file.js';

/** Materials of every scene. A scene may define others under the same names. */
export const readyMaterials: Readonly<Record<string, Material>> = {
  white: { remission: 0.9, transparency: 0 },
  grey: { remission: 0.5, transparency: 0 },
  black: { remission: 0.1, transparency: 0 },
  reflector: { remission: 5, transparency: 0 },
  glass: { remission: 0.08, transparency: 0.85 },
};

/** Returns all materials of a scene by name. */
export function materialsOf({ materials }: Pick<Scene, 'materials'>): ReadonlyMap<string, Material> {
  return new Map([...Object.entries(readyMaterials), ...Object.entries(materials)]);
}

/** The properties of materials by number, for the inner loops. */
export class Surfaces {
  readonly remission: Float64Array;
  /** Share of the light that passes through. */
  readonly transparency: Float64Array;
  /** 1 for a retro-reflector. */
  readonly reflector: Uint8Array;
  readonly #numbers = new Map<string, number>();

  constructor(scene: Pick<Scene, 'materials'>) {
    const materials = materialsOf(scene);
    this.remission = new Float64Array(materials.size);
    this.transparency = new Float64Array(materials.size);
    this.reflector = new Uint8Array(materials.size);
    for (const [name, { remission, transparency, reflector = remission > 1 }] of materials) {
      const number = this.#numbers.size;
      this.#numbers.set(name, number);
      this.remission[number] = remission;
      this.transparency[number] = transparency;
      this.reflector[number] = reflector ? 1 : 0;
    }
  }

  /** Returns the number of a material. @throws TypeError if the scene has no material of this name */
  numberOf(name: string): number {
    const number = this.#numbers.get(name);
    if (number === undefined) throw new TypeError(`no material ${name}`);
    return number;
  }
}

type Point = readonly [number, number];

/** Lines and circles as arrays of numbers, each with the number of its material or fog area. */
export interface Outline {
  /** x and y of both ends in m: 4 numbers for each line. */
  readonly lines: Float64Array;
  readonly ofLine: Uint32Array;
  /** x and y of the centre and radius in m: 3 numbers for each circle. */
  readonly circles: Float64Array;
  readonly ofCircle: Uint32Array;
}

/** Collects the lines and circles of an outline. */
class OutlineBuilder {
  readonly #lines: number[] = [];
  readonly #ofLine: number[] = [];
  readonly #many: { readonly ends: Float64Array; readonly of: number }[] = [];
  readonly #circles: number[] = [];
  readonly #ofCircle: number[] = [];

  line([x1, y1]: Point, [x2, y2]: Point, of: number): void {
    this.#lines.push(x1, y1, x2, y2);
    this.#ofLine.push(of);
  }

  /** Adds many lines. @param ends x and y of both ends of each line */
  lines(ends: Float64Array, of: number): void {
    this.#many.push({ ends, of });
  }

  /** Adds lines from point to point; if closed, also from the last to the first. */
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
    const many = this.#many.reduce((sum, { ends }) => sum + ends.length, 0);
    const lines = new Float64Array(this.#lines.length + many);
    const ofLine = new Uint32Array(lines.length / 4);
    lines.set(this.#lines);
    ofLine.set(this.#ofLine);
    let at = this.#lines.length;
    for (const { ends, of } of this.#many) {
      lines.set(ends, at);
      ofLine.fill(of, at / 4, (at + ends.length) / 4);
      at += ends.length;
    }
    return {
      lines,
      ofLine,
      circles: Float64Array.from(this.#circles),
      ofCircle: Uint32Array.from(this.#ofCircle),
    };
  }
}

/** The outlines of a body: opaque, glass and fog. */
export interface BodyOutlines {
  readonly opaque: Outline;
  readonly glass: Outline;
  /** Outlines of fog areas, counter-clockwise. */
  readonly fog: Outline;
}

/**
 * Converts shapes into lines and circles.
 * @param densities receives the density of each fog area; the fog outline holds indices into it
 */
export function outlinesOf(
  bodies: Bodies & Pick<Scene, 'map'>,
  surfaces: Surfaces,
  densities: number[],
): BodyOutlines {
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
  if (bodies.map !== undefined) {
    const number = surfaces.numberOf(bodies.map.material);
    builderOf(number).lines(linesOfMap(bodies.map), number);
  }
  for (const { points, center, radius, density } of bodies.fog) {
    const area = densities.push(density) - 1;
    if (points !== undefined) fog.chain(counterClockwise(points), true, area);
    else if (center !== undefined && radius !== undefined) fog.circle(center, radius, area);
  }
  return { opaque: opaque.build(), glass: glass.build(), fog: fog.build() };
}

/** Returns x and y of both ends of the lines of a map, in m. */
function linesOfMap({ outlines, resolution, x, y, heading }: SceneMap): Float64Array {
  const cosine = resolution * Math.cos(heading * radPerDegree);
  const sine = resolution * Math.sin(heading * radPerDegree);
  const lines = linesOfOutlines(outlines);
  for (let at = 0; at < lines.length; at += 2) {
    const column = lines[at] ?? 0;
    const row = lines[at + 1] ?? 0;
    lines[at] = x + cosine * column - sine * row;
    lines[at + 1] = y + sine * column + cosine * row;
  }
  return lines;
}

/** Returns the outline of a leg, about its own centre. */
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
  const cosine = Math.cos(heading * radPerDegree);
  const sine = Math.sin(heading * radPerDegree);
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
