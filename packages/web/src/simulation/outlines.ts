import { isObject } from '@azimuth/model';
import type { PlanPoint } from '../live/viewport.js';

/** A line through points in m; closed if its end is joined to its begin. */
export interface Outline {
  readonly points: readonly PlanPoint[];
  readonly closed: boolean;
  /** Fog is drawn as an area. */
  readonly kind: 'solid' | 'fog';
}

/** An actor of a scene, around its own origin. */
export interface ActorOutlines {
  readonly name: string;
  readonly outlines: readonly Outline[];
}

const cornersOfCircle = 24;

/** The outlines of what stands still in a scene file, as the control port answers it. What is not known is left out. */
export function outlinesOf(bodies: Readonly<Record<string, unknown>>): Outline[] {
  const of = (name: string) => objectsIn(bodies[name]);
  return [
    ...of('walls').map(({ from, to }) => line(pointsIn([from, to]), false)),
    ...of('polylines').map(({ points }) => line(pointsIn(points), false)),
    ...of('polygons').map(({ points }) => line(pointsIn(points), true)),
    ...of('boxes').map(box),
    ...of('circles').map(({ center, radius }) => circle(center, radius)),
    ...of('fog').map(({ points, center, radius }): Outline => {
      const area = points === undefined ? circle(center, radius) : line(pointsIn(points), true);
      return { ...area, kind: 'fog' };
    }),
  ].filter(({ points }) => points.length > 1);
}

/** The actors of a scene file. Somebody who walks is drawn as two legs beside each other. */
export function actorsOf(scene: Readonly<Record<string, unknown>>): ActorOutlines[] {
  return objectsIn(scene.actors).map((actor) => ({
    name: String(actor.name),
    outlines: [...outlinesOf(actor), ...legsOf(actor.legs)],
  }));
}

function legsOf(legs: unknown): Outline[] {
  if (!isObject(legs)) return [];
  const side = numberOf(legs.apart) / 2;
  return [circle([0, side], legs.radius), circle([0, -side], legs.radius)];
}

function box({ center, size, heading }: Readonly<Record<string, unknown>>): Outline {
  const [middle] = pointsIn([center]);
  const [sizes] = pointsIn([size]);
  if (middle === undefined || sizes === undefined) return line([], true);
  const turn = (numberOf(heading) * Math.PI) / 180;
  const corner = (ahead: number, left: number): PlanPoint => ({
    x: middle.x + ahead * Math.cos(turn) - left * Math.sin(turn),
    y: middle.y + ahead * Math.sin(turn) + left * Math.cos(turn),
  });
  const [a, b] = [sizes.x / 2, sizes.y / 2];
  return line([corner(a, b), corner(-a, b), corner(-a, -b), corner(a, -b)], true);
}

function circle(center: unknown, radius: unknown): Outline {
  const [middle] = pointsIn([center]);
  if (middle === undefined) return line([], true);
  const points = Array.from({ length: cornersOfCircle }, (_, index) => {
    const angle = (index / cornersOfCircle) * 2 * Math.PI;
    return {
      x: middle.x + numberOf(radius) * Math.cos(angle),
      y: middle.y + numberOf(radius) * Math.sin(angle),
    };
  });
  return line(points, true);
}

function line(points: readonly PlanPoint[], closed: boolean): Outline {
  return { points, closed, kind: 'solid' };
}

function pointsIn(value: unknown): PlanPoint[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((point: unknown) =>
    Array.isArray(point) ? [{ x: numberOf(point[0]), y: numberOf(point[1]) }] : [],
  );
}

function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
