import type { Frame } from '@azimuth/client';
import { counted } from '@azimuth/model';
import { colours, type Drawing, type Piece, signalColour, towards } from './drawing.js';
import { degrees, type Echo, frameEchoes, metres, nearestEcho, ringDistances, signalSpan } from './echoes.js';
import { fieldEnd } from './terminal-picture.js';

interface PictureFacts {
  /** Name of the scanner. */
  readonly title: string;
  /** Time of the frame. */
  readonly time: Date;
  /** mm. */
  readonly range: number;
}

const width = 1200;
const height = 1120;
const radius = 500;
const middle = { x: width / 2, y: 640 };

/**
 * Draws a frame from above with its field of view, range rings, and points coloured by the strength of their signals.
 */
export function polarPicture(frame: Frame, facts: PictureFacts): Drawing {
  const echoes = [...frameEchoes(frame)];
  return {
    title: `Scan of ${facts.title}, seen from above`,
    width,
    height,
    ground: colours.ground,
    pieces: [
      { kind: 'sector', ...middle, radius, from: -fieldEnd, to: fieldEnd, colour: colours.field },
      freeArea(frame, facts.range),
      ...grid(facts.range),
      ...points(echoes, facts.range),
      ...scanner(),
      ...heading(frame, facts, echoes.length),
      ...legend(echoes),
    ],
  };
}

/** Returns the free space between the scanner and the nearest echo of each beam. */
function freeArea({ azimuth, distance, echoes }: Frame, range: number): Piece {
  const radii = Array.from(azimuth, (_, beam) => {
    const first = distance.subarray(beam * echoes, (beam + 1) * echoes).find((value) => value > 0) ?? 0;
    return Math.min(1, first / range) * radius;
  });
  return { kind: 'area', ...middle, angles: [...azimuth], radii, colour: colours.seen };
}

function grid(range: number): Piece[] {
  const rings = ringDistances(range);
  const pieces: Piece[] = [];
  const ends = { from: -fieldEnd, to: fieldEnd };
  for (const ring of rings) {
    const at = (ring / range) * radius;
    if (ring < range)
      pieces.push({ kind: 'arc', ...middle, radius: at, ...ends, colour: colours.ring, width: 1 });
  }
  for (let angle = -120; angle <= 120; angle += 30) pieces.push(spoke((angle * Math.PI) / 180, false));
  pieces.push({ kind: 'arc', ...middle, radius, ...ends, colour: colours.edge, width: 2 });
  pieces.push(spoke(-fieldEnd, true), spoke(fieldEnd, true));
  const lettering = { colour: colours.label, size: 17 };
  for (const ring of rings) {
    const at = towards(middle, 0, (ring / range) * radius);
    const text = metres(ring);
    pieces.push({
      kind: 'text',
      x: at.x + 8,
      y: at.y + (ring < range ? -6 : 22),
      text,
      anchor: 'start',
      ...lettering,
    });
  }
  for (const angle of [-fieldEnd, -Math.PI / 2, -Math.PI / 4, 0, Math.PI / 4, Math.PI / 2, fieldEnd]) {
    const at = towards(middle, angle, radius + 32);
    const text = `${Math.round(degrees(angle))}°`;
    pieces.push({ kind: 'text', x: at.x, y: at.y + 7, text, anchor: 'middle', ...lettering });
  }
  return pieces;
}

function spoke(angle: number, edge: boolean): Piece {
  const { x: toX, y: toY } = towards(middle, angle, radius);
  return {
    kind: 'line',
    ...middle,
    toX,
    toY,
    colour: edge ? colours.edge : colours.ring,
    width: edge ? 2 : 1,
  };
}

/** Returns the points: later echoes of a beam are smaller; reflectors have a ring. */
function points(echoes: readonly Echo[], range: number): Piece[] {
  const span = signalSpan(echoes);
  return echoes
    .filter(({ distance }) => distance <= range)
    .flatMap(({ azimuth, distance, rssi, echo, reflector }): Piece[] => {
      const at = towards(middle, azimuth, (distance / range) * radius);
      const colour = rssi === undefined ? colours.echo : signalColour(span.relativeStrength(rssi));
      const point: Piece = {
        kind: 'dot',
        ...at,
        radius: echo === 0 ? 2.4 : 1.7,
        colour,
        opacity: echo === 0 ? 1 : 0.75,
      };
      if (!reflector) return [point];
      const fullCircle = { from: -Math.PI, to: Math.PI };
      return [
        point,
        { kind: 'arc', ...at, radius: 5.5, ...fullCircle, colour: colours.reflector, width: 1.5 },
      ];
    });
}

function scanner(): Piece[] {
  return [
    { kind: 'dot', ...middle, radius: 9, colour: colours.ground, opacity: 1 },
    { kind: 'dot', ...middle, radius: 6, colour: colours.scanner, opacity: 1 },
  ];
}

function heading(frame: Frame, { title, time, range }: PictureFacts, echoes: number): Piece[] {
  const nearest = nearestEcho(frame);
  const facts = [
    `frame ${frame.number}${frame.complete ? '' : ' (incomplete)'}`,
    counted(frame.beams, 'beam'),
    counted(echoes, 'echo', 'echoes'),
    ...(nearest === undefined
      ? []
      : [`nearest ${(nearest.distance / 1000).toFixed(3)} m at ${degrees(nearest.azimuth).toFixed(1)}°`]),
    `range ${metres(range)}`,
  ].join('  ·  ');
  const moment = time.toISOString().replace('T', ' ').slice(0, 19);
  return [
    { kind: 'text', x: 40, y: 50, text: title, size: 28, colour: colours.title, anchor: 'start' },
    {
      kind: 'text',
      x: width - 40,
      y: 50,
      text: `${moment} UTC`,
      size: 19,
      colour: colours.label,
      anchor: 'end',
    },
    { kind: 'text', x: 40, y: 82, text: facts, size: 17, colour: colours.label, anchor: 'start' },
  ];
}

/** Returns the legend of the colours, in the blind area below the scanner. */
function legend(echoes: readonly Echo[]): Piece[] {
  const pieces: Piece[] = [];
  const text = { kind: 'text', size: 17, colour: colours.label } as const;
  if (echoes.some(({ rssi }) => rssi !== undefined)) {
    const { weakest, strongest } = signalSpan(echoes);
    const bar = { x: middle.x - 130, y: 1040, width: 260, height: 12, steps: 65 };
    for (let step = 0; step < bar.steps; step++) {
      const part = bar.width / bar.steps;
      const colour = signalColour(step / (bar.steps - 1));
      pieces.push({ kind: 'box', x: bar.x + step * part, y: bar.y, width: part, height: bar.height, colour });
    }
    pieces.push(
      { ...text, x: bar.x - 12, y: bar.y + 12, text: `${weakest}`, anchor: 'end' },
      { ...text, x: bar.x + bar.width + 12, y: bar.y + 12, text: `${strongest}`, anchor: 'start' },
      { ...text, x: middle.x, y: bar.y - 12, text: 'signal strength', anchor: 'middle' },
    );
  }
  const reflectors = echoes.filter(({ reflector }) => reflector).length;
  if (reflectors > 0) {
    const label = counted(reflectors, 'echo of a reflector', 'echoes of reflectors');
    const fullCircle = { from: -Math.PI, to: Math.PI };
    pieces.push(
      { kind: 'dot', x: middle.x - 100, y: 1083, radius: 2.4, colour: colours.title, opacity: 1 },
      {
        kind: 'arc',
        x: middle.x - 100,
        y: 1083,
        radius: 5.5,
        ...fullCircle,
        colour: colours.reflector,
        width: 1.5,
      },
      { ...text, x: middle.x - 84, y: 1089, text: label, anchor: 'start' },
    );
  }
  return pieces;
}
