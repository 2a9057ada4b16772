import type { PlanPoint } from '../plan/plan.js';

/** Where a picture is on the floor plan. */
export interface Placing {
  /** m per pixel of the picture. */
  readonly scale: number;
  /** The middle of the picture, in m. */
  readonly x: number;
  readonly y: number;
  /** Degrees, counter-clockwise. At 0, the upper edge of the picture is ahead. */
  readonly turn: number;
  /** 0 to 1. */
  readonly opacity: number;
}

/** Limits of the numbers of a placing. */
export const placingRanges = {
  scale: [0.0001, 10],
  x: [-10_000, 10_000],
  y: [-10_000, 10_000],
  turn: [-360, 360],
  opacity: [0.05, 1],
} as const satisfies Readonly<Record<keyof Placing, readonly [number, number]>>;

export type PlacingMember = keyof Placing;

/** Returns the placing with another number; undefined if the number is not in its range. */
export function placedWith(placing: Placing, member: PlacingMember, value: number): Placing | undefined {
  const [least, most] = placingRanges[member];
  return value >= least && value <= most ? { ...placing, [member]: value } : undefined;
}

/**
 * Scales a picture so that two points of the plan get this distance. The first point stays where it is.
 * @param metres distance of the points in reality
 * @returns undefined if the points are too near, or the scale is out of range
 */
export function scaledBy(
  placing: Placing,
  from: PlanPoint,
  to: PlanPoint,
  metres: number,
): Placing | undefined {
  const factor = metres / Math.hypot(to.x - from.x, to.y - from.y);
  const scaled = placedWith(placing, 'scale', placing.scale * factor);
  if (scaled === undefined) return undefined;
  const moved = placedWith(scaled, 'x', from.x + (placing.x - from.x) * factor);
  return moved && placedWith(moved, 'y', from.y + (placing.y - from.y) * factor);
}

/** The description of a map, as the map server of ROS reads it. */
export interface MapDescription {
  /** Name of the file with the picture. */
  readonly image: string;
  /** m per pixel. */
  readonly resolution: number;
  /** The lower left corner in m, and the rotation in rad. */
  readonly origin: readonly [x: number, y: number, yaw: number];
  /** True if dark pixels are free. */
  readonly isNegated: boolean;
}

/** The rotation of a map: its columns go ahead. */
const ahead = 90;

/** Where a map of this many pixels is on the floor plan. */
export function placingOfMap(
  { resolution, origin: [x, y, yaw] }: MapDescription,
  width: number,
  height: number,
): Omit<Placing, 'opacity'> {
  const [across, up] = [(width / 2) * resolution, (height / 2) * resolution];
  return {
    scale: resolution,
    x: x + across * Math.cos(yaw) - up * Math.sin(yaw),
    y: y + across * Math.sin(yaw) + up * Math.cos(yaw),
    turn: ahead + (yaw * 180) / Math.PI,
  };
}

/** A message for the person who chose a file. */
export class PictureError extends Error {}

/** Most characters of the description of a map. */
const longestDescription = 64 * 1024;

/**
 * Reads the description of a map of ROS.
 * @throws PictureError
 */
export function mapDescription(text: string): MapDescription {
  if (text.length > longestDescription) throw new PictureError('The description of the map is too long.');
  const memberOf = (name: string) =>
    new RegExp(`^${name}:[ \\t]*["']?([^"'#\\r\\n]*)`, 'm').exec(text)?.[1]?.trim() ?? '';
  const list = /^origin:\s*(?:\[([^\]]{0,200})\]|((?:\s*-\s+[^\s#]{1,40}){3}))/m.exec(text);
  const origin = (
    list?.[1]?.split(',') ??
    list?.[2]
      ?.trim()
      .split(/\s*-\s+|^-\s+/)
      .slice(1) ??
    []
  ).map(Number);
  const [x = Number.NaN, y = Number.NaN, yaw = Number.NaN] = origin;
  const [image, resolution] = [memberOf('image'), Number(memberOf('resolution'))];
  const [least, most] = placingRanges.scale;
  const isRight =
    image !== '' &&
    resolution >= least &&
    resolution <= most &&
    Math.abs(x) <= placingRanges.x[1] &&
    Math.abs(y) <= placingRanges.y[1] &&
    Math.abs(yaw) <= 7;
  if (!isRight) {
    throw new PictureError(
      'Expected the description of a map with image, resolution and origin: [x, y, yaw], as ROS writes it.',
    );
  }
  return { image, resolution, origin: [x, y, yaw], isNegated: /^(1|true)$/.test(memberOf('negate')) };
}
