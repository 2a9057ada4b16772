import {
  dataReduction,
  fieldOfView,
  type Point,
  regionOfInterest,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import { typed } from '../connection/declarations.js';
import { bothBounds, type PlanBounds } from '../plan/plan.js';

const { LFPcubicareafilter, LFPradialDistanceRangeFilter } = regionOfInterest.members;
const { LFPangleRangeFilter } = dataReduction.members;

/** The regions of the filters that are on, in the coordinates of the scanner; undefined for those that are off. */
export interface Regions {
  /** mm */
  readonly rectangle: ValueOf<'LFPcubicareafilter'> | undefined;
  /** mm */
  readonly distance: ValueOf<'LFPradialDistanceRangeFilter'> | undefined;
  /** 1/10000° */
  readonly angle: ValueOf<'LFPangleRangeFilter'> | undefined;
}

/** @param read returns the value of a variable, as JSON */
export function regionsIn(read: (variable: Variable<unknown>) => unknown): Regions {
  const valueIn = <T>(variable: Variable<T>) => typed(variable, read(variable));
  return {
    rectangle: ifOn(valueIn(LFPcubicareafilter)),
    distance: ifOn(valueIn(LFPradialDistanceRangeFilter)),
    angle: ifOn(valueIn(LFPangleRangeFilter)),
  };
}

function ifOn<T extends { readonly bEnable: boolean }>(filter: T | undefined): T | undefined {
  return filter?.bEnable === true ? filter : undefined;
}

export function hasRegion({ rectangle, distance, angle }: Regions): boolean {
  return rectangle !== undefined || distance !== undefined || angle !== undefined;
}

/** 1/10000° in a degree. */
export const perDegree = 10_000;
const radians = Math.PI / (180 * perDegree);

/** Beyond everything that a scanner measures, in mm. */
const beyond = 200_000;

/** The angles that pass, in 1/10000°. */
export function anglesOf({ angle }: Regions): { readonly from: number; readonly to: number } {
  if (angle === undefined) return { from: fieldOfView.minimum, to: fieldOfView.maximum };
  return { from: angle.fThetaStart, to: angle.fThetaStop };
}

/** The point at a distance (mm) in a direction (1/10000°). */
export function pointAt(angle: number, distance: number): Point {
  return { x: Math.cos(angle * radians) * distance, y: Math.sin(angle * radians) * distance };
}

/** The direction of a point, in 1/10000° from −180° to 180°. */
export function directionOf({ x, y }: Point): number {
  return Math.atan2(y, x) / radians;
}

type Span = readonly [near: number, far: number];

/** The distances (mm) at which an echo in this direction passes all filters; undefined if none does. */
function spanAt({ rectangle, distance }: Regions, angle: number): Span | undefined {
  let near = distance?.ulDistMin ?? 0;
  let far = distance?.ulDistMax ?? beyond;
  if (rectangle !== undefined) {
    const along = pointAt(angle, 1);
    const { lXMin, lXMax, lYMin, lYMax } = rectangle;
    for (const [part, least, most] of [[along.x, lXMin, lXMax] as const, [along.y, lYMin, lYMax] as const]) {
      // A ray along this axis is between its two sides everywhere, or nowhere.
      if (Math.abs(part) < 1e-9) {
        if (least > 0 || most < 0) return undefined;
        continue;
      }
      near = Math.max(near, Math.min(least / part, most / part));
      far = Math.min(far, Math.max(least / part, most / part));
      if (least > most) return undefined;
    }
  }
  return near <= far ? [near, far] : undefined;
}

/** Directions between two sides of an outline, in 1/10000°. */
const step = perDegree;
/** Beside a corner, in 1/10000°: the outline jumps there. */
const beside = 1;

/** Directions in which the outline of what passes is computed, in order. */
function directionsOf(regions: Regions): readonly number[] {
  const { from, to } = anglesOf(regions);
  const { rectangle } = regions;
  const directions = [from, to];
  for (let angle = Math.ceil(from / step) * step; angle < to; angle += step) directions.push(angle);
  if (rectangle !== undefined) {
    for (const x of [rectangle.lXMin, rectangle.lXMax]) {
      for (const y of [rectangle.lYMin, rectangle.lYMax]) {
        const corner = directionOf({ x, y });
        directions.push(corner - beside, corner, corner + beside);
      }
    }
  }
  return directions.filter((angle) => angle >= from && angle <= to).sort((one, other) => one - other);
}

/** The outlines of what passes all filters that are on, in mm. Empty if nothing passes. */
export function keptOutlines(regions: Regions): readonly (readonly Point[])[] {
  const outlines: Point[][] = [];
  let [near, far]: [Point[], Point[]] = [[], []];
  const close = () => {
    if (far.length > 1) outlines.push([...far, ...near.reverse()]);
    [near, far] = [[], []];
  };
  for (const angle of directionsOf(regions)) {
    const span = spanAt(regions, angle);
    if (span === undefined) {
      close();
      continue;
    }
    near.push(pointAt(angle, span[0]));
    far.push(pointAt(angle, span[1]));
  }
  close();
  return outlines;
}

/** Returns why no echo passes; undefined if some can. */
export function whyNothing(regions: Regions): string | undefined {
  const { rectangle, distance, angle } = regions;
  if (distance !== undefined && distance.ulDistMin > distance.ulDistMax)
    return 'The distance range ends before it begins.';
  if (rectangle !== undefined && rectangle.lXMin > rectangle.lXMax)
    return 'The rectangle ends before it begins in x.';
  if (rectangle !== undefined && rectangle.lYMin > rectangle.lYMax)
    return 'The rectangle ends before it begins in y.';
  if (angle !== undefined && angle.fThetaStart > angle.fThetaStop)
    return 'The angle range ends before it begins.';
  return keptOutlines(regions).length === 0 ? 'These regions have no place in common.' : undefined;
}

/** Regions beyond this, in mm, are not brought into sight: their limits are those of the model. */
const furthestShown = 12_000;

/** Room beside what is brought into sight, as a part of its width: buttons stand at the edges of the view. */
const room = 0.06;

/**
 * The rectangle (m) around outlines and around what is seen, as far as the outlines are near; undefined if there is
 * nothing.
 */
export function boundsWith(
  outlines: readonly (readonly Point[])[],
  seen: PlanBounds | undefined,
): PlanBounds | undefined {
  const near = (value: number) => Math.min(Math.max(value, -furthestShown), furthestShown) / 1000;
  const all = outlines.flat().reduce<PlanBounds | undefined>((bounds, { x, y }) => {
    const point = { minX: near(x), maxX: near(x), minY: near(y), maxY: near(y) };
    return bothBounds(bounds, point);
  }, seen);
  if (all === undefined) return undefined;
  const margin = (all.maxY - all.minY) * room;
  return { ...all, minY: all.minY - margin, maxY: all.maxY + margin };
}
