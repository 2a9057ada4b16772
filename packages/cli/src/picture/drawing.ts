import type { Colour } from './colours.js';

/** Where the middle of something is; pixels from the top left corner. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** A piece of a picture. Angles are in rad from straight up, counter-clockwise; lengths in pixels. */
export type Piece =
  | (Place & { readonly kind: 'sector'; radius: number; from: number; to: number; colour: Colour })
  | (Place & {
      readonly kind: 'arc';
      radius: number;
      from: number;
      to: number;
      colour: Colour;
      width: number;
    })
  /** Star-shaped about its middle: as far as `radii` at each of the angles, which rise. */
  | (Place & { readonly kind: 'area'; angles: readonly number[]; radii: readonly number[]; colour: Colour })
  | (Place & { readonly kind: 'line'; toX: number; toY: number; colour: Colour; width: number })
  | (Place & { readonly kind: 'dot'; radius: number; colour: Colour; opacity: number })
  | (Place & { readonly kind: 'box'; width: number; height: number; colour: Colour })
  /** `y` is the line that the letters stand on. */
  | (Place & { readonly kind: 'text'; text: string; size: number; colour: Colour; anchor: Anchor });

export type Anchor = 'start' | 'middle' | 'end';

/** A picture as pieces, painted one over the other. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly ground: Colour;
  readonly pieces: readonly Piece[];
}

/** The place at a distance from another in a direction. */
export function towards({ x, y }: Place, angle: number, way: number): Place {
  return { x: x - way * Math.sin(angle), y: y - way * Math.cos(angle) };
}
