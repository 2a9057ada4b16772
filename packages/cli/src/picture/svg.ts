import { type Drawing, hex, type Piece, towards } from './drawing.js';

/** Encodes a drawing as an SVG file. */
export function encodeSvg({ title, width, height, ground, pieces }: Drawing): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${hex(ground)}"/>`,
    ...pieces.map(element),
    '</svg>',
    '',
  ].join('\n');
}

function element(piece: Piece): string {
  const { x, y } = piece;
  const colour = hex(piece.colour);
  switch (piece.kind) {
    case 'sector':
      return `<path d="M${pair(piece)} L${arc(piece)} Z" fill="${colour}"/>`;
    case 'arc':
      return piece.to - piece.from > 6.28
        ? `<circle cx="${n(x)}" cy="${n(y)}" r="${n(piece.radius)}" fill="none" stroke="${colour}" stroke-width="${piece.width}"/>`
        : `<path d="M${arc(piece)}" fill="none" stroke="${colour}" stroke-width="${piece.width}"/>`;
    case 'area': {
      const corners = piece.angles.map((angle, i) => pair(towards(piece, angle, piece.radii[i] ?? 0)));
      return `<path d="M${[pair(piece), ...corners].join(' L')} Z" fill="${colour}"/>`;
    }
    case 'line':
      return `<path d="M${pair(piece)} L${pair({ x: piece.toX, y: piece.toY })}" stroke="${colour}" stroke-width="${piece.width}"/>`;
    case 'dot': {
      const opacity = piece.opacity === 1 ? '' : ` fill-opacity="${piece.opacity}"`;
      return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(piece.radius)}" fill="${colour}"${opacity}/>`;
    }
    case 'box':
      return `<rect x="${n(x)}" y="${n(y)}" width="${n(piece.width)}" height="${n(piece.height)}" fill="${colour}"/>`;
    case 'text':
      return `<text x="${n(x)}" y="${n(y)}" font-family="sans-serif" font-size="${piece.size}" fill="${colour}" text-anchor="${piece.anchor}" xml:space="preserve">${escaped(piece.text)}</text>`;
  }
}

function arc(piece: { x: number; y: number; radius: number; from: number; to: number }): string {
  const large = piece.to - piece.from > Math.PI ? 1 : 0;
  const r = n(piece.radius);
  const [from, to] = [towards(piece, piece.from, piece.radius), towards(piece, piece.to, piece.radius)];
  return `${pair(from)} A${r} ${r} 0 ${large} 0 ${pair(to)}`;
}

function pair({ x, y }: { readonly x: number; readonly y: number }): string {
  return `${n(x)} ${n(y)}`;
}

/** Returns a number with at most two decimal places. */
function n(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns text for XML. A character that XML does not allow becomes a replacement character. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>]/g, (c) => entities[c] ?? c)
    .replaceAll(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, '\ufffd');
}
