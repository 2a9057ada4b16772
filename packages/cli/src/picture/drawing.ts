/** The centre of a piece, in pixels from the top left corner. */
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
  /** A shape around its centre: `radii` are its extent at each of the angles, in rising order. */
  | (Place & { readonly kind: 'area'; angles: readonly number[]; radii: readonly number[]; colour: Colour })
  | (Place & { readonly kind: 'line'; toX: number; toY: number; colour: Colour; width: number })
  | (Place & { readonly kind: 'dot'; radius: number; colour: Colour; opacity: number })
  | (Place & { readonly kind: 'box'; width: number; height: number; colour: Colour })
  /** `y` is the base line of the letters. */
  | (Place & { readonly kind: 'text'; text: string; size: number; colour: Colour; anchor: Anchor });

type Anchor = 'start' | 'middle' | 'end';

/** A picture as pieces, painted one over the other. */
export interface Drawing {
  /** Description of the picture, for readers who cannot see it. */
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly ground: Colour;
  readonly pieces: readonly Piece[];
}

/** Returns the point at a distance from another one, in a direction. */
export function towards({ x, y }: Place, angle: number, way: number): Place {
  return { x: x - way * Math.sin(angle), y: y - way * Math.cos(angle) };
}

/** Red, green, blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The colours of a picture: dark, so that measured points are clear. */
export const colours = {
  ground: [13, 17, 28],
  field: [20, 27, 43],
  seen: [30, 44, 70],
  ring: [52, 66, 96],
  edge: [78, 96, 134],
  label: [140, 156, 190],
  title: [232, 238, 250],
  scanner: [255, 255, 255],
  reflector: [255, 92, 158],
  echo: [108, 200, 255],
} as const satisfies Readonly<Record<string, Colour>>;

/** Colours from weak to strong. */
const scale: readonly Colour[] = [
  [74, 98, 222],
  [40, 160, 226],
  [54, 208, 170],
  [176, 222, 92],
  [255, 208, 72],
  [255, 240, 190],
];

/** Returns the colour of a signal strength between the weakest (0) and the strongest (1) of a picture. */
export function signalColour(share: number): Colour {
  const position = Math.min(1, Math.max(0, share)) * (scale.length - 1);
  const low = scale[Math.floor(position)] ?? colours.echo;
  const high = scale[Math.ceil(position)] ?? low;
  const part = position - Math.floor(position);
  const mix = (channel: 0 | 1 | 2) => Math.round(low[channel] + (high[channel] - low[channel]) * part);
  return [mix(0), mix(1), mix(2)];
}

/** Returns a colour as `#0d111c`. */
export function hex(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
