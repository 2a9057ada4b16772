import { type Quaternion, turned, type Vector } from './orientation.js';

/** Parts of the picture, each with a colour of its own. */
export type Part = 'ground' | 'scan' | 'housing' | 'window' | 'cap' | 'ahead';

/** A filled outline of the picture: points of an SVG polygon, in a square of 200 units about the origin. */
export interface Face {
  readonly part: Part;
  readonly points: string;
}

/** Corners of a round body. */
const corners = 24;
/** Corners of a disc, which is larger. */
const discCorners = 48;

/** Units of the picture. */
const [housingRadius, windowRadius, scanRadius] = [38, 34, 78];
/** The heights of the rings of the scanner above its scan plane, from below. */
const [bottom, windowBottom, windowTop, top] = [-46, -11, 11, 22];

/** Where the person stands: behind, to the right and above, in rad. */
const [aside, above] = [0.95, 0.5];
const [sinAside, cosAside] = [Math.sin(aside), Math.cos(aside)];
const [sinAbove, cosAbove] = [Math.sin(above), Math.cos(above)];

/** Right, down and near of a point in the picture. */
function seen([x, y, z]: Vector): Vector {
  const right = x * sinAside - y * cosAside;
  const away = x * cosAside + y * sinAside;
  return [right, -(z * cosAbove + away * sinAbove), z * sinAbove - away * cosAbove];
}

function ring(radius: number, height: number, count = corners): readonly Vector[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count;
    return [radius * Math.cos(angle), radius * Math.sin(angle), height];
  });
}

/** The sides between two rings. */
function mantle(lower: readonly Vector[], upper: readonly Vector[]): readonly (readonly Vector[])[] {
  return lower.map((point, index) => {
    const next = (index + 1) % corners;
    return [point, lower[next], upper[next], upper[index]].filter((corner) => corner !== undefined);
  });
}

const housing = [ring(housingRadius, bottom), ring(housingRadius, windowBottom)] as const;
const pane = [ring(windowRadius, windowBottom), ring(windowRadius, windowTop)] as const;
const lid = [ring(housingRadius, windowTop), ring(housingRadius, top)] as const;

/** A part with its outline: corners counter-clockwise from outside. */
type Outline = readonly [part: Part, corners: readonly Vector[]];

/** The bodies of the scanner, from below, each with its faces. */
const bodies: readonly (readonly Outline[])[] = [
  solid('housing', housing),
  solid('window', pane),
  solid('housing', lid),
];

function solid(
  part: Part,
  [lower, upper]: readonly [readonly Vector[], readonly Vector[]],
): readonly Outline[] {
  return [
    ['cap', lower.toReversed()],
    ...mantle(lower, upper).map((side): Outline => [part, side]),
    ['cap', upper],
  ];
}

/** The plane of the beams, and an arrow to the front on it. */
const plane: readonly Outline[] = [
  ['scan', ring(scanRadius, 0, discCorners)],
  [
    'ahead',
    [
      [housingRadius + 4, -5, 0],
      [scanRadius - 12, -5, 0],
      [scanRadius - 12, -13, 0],
      [scanRadius + 12, 0, 0],
      [scanRadius - 12, 13, 0],
      [scanRadius - 12, 5, 0],
      [housingRadius + 4, 5, 0],
    ],
  ],
];

const ground = ring(scanRadius, bottom, discCorners);

/** The scanner as a person sees it who stands behind it, turned as it is in the room. Faces behind come first. */
export function facesOf(orientation: Quaternion): readonly Face[] {
  const atPlace = (corner: Vector) => seen(turned(orientation, corner));
  const flat = plane.map(([part, outline]) => face(part, outline.map(atPlace)));
  const up = atPlace([0, 0, 1])[2];
  const [first = [], middle = [], last = []] = (up >= 0 ? bodies : bodies.toReversed()).map((outlines) =>
    outlines
      .map(([part, outline]) => [part, outline.map(atPlace)] as const)
      .filter(([, outline]) => isNear(outline))
      .map(([part, outline]) => face(part, outline)),
  );
  return [face('ground', ground.map(seen)), ...first, ...flat, ...middle, ...last];
}

/** True if a face looks to the person: on the screen, with y down, its corners go clockwise in numbers. */
function isNear(outline: readonly Vector[]): boolean {
  const [a, b, c] = outline;
  if (a === undefined || b === undefined || c === undefined) return false;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0;
}

function face(part: Part, outline: readonly Vector[]): Face {
  return { part, points: outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ') };
}
