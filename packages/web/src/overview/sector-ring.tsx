import { type SectorState, sectorEdge } from '@azimuth/model';
import { sectorWords } from './words.js';
import '../style/sectors.css';

/** Degrees that stay free between two sectors. */
const gap = 1.2;

const classes: Readonly<Record<SectorState, string>> = {
  unwatched: 'none',
  blocked: 'blocked',
  clean: 'clean',
  warning: 'warn',
  error: 'error',
};

/**
 * The front screen from above, as a ring about the origin: straight ahead is up, sector 1 at the lower right. Dirt is
 * hatched; the more, the narrower. A blocked sector is full.
 */
export function SectorRing({
  sectors,
  inner,
  outer,
}: {
  sectors: readonly SectorState[];
  inner: number;
  outer: number;
}) {
  const middle = (inner + outer) / 2;
  return (
    <g>
      <defs>
        {(
          [
            ['warn', 5, 45],
            ['error', 3, -45],
          ] as const
        ).map(([kind, size, turn]) => (
          <pattern
            key={kind}
            id={`hatch-${kind}`}
            width={size}
            height={size}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${turn})`}
          >
            <path d={`M0 0V${size}`} class={`hatch ${kind}`} />
          </pattern>
        ))}
      </defs>
      {sectors.map((state, index) => {
        const [from, to] = [sectorEdge(index), sectorEdge(index + 1)];
        const label = pointAt((from + to) / 2, middle);
        const number = index + 1;
        return (
          <g key={number} class={`sector ${classes[state]}`}>
            <title>{`Sector ${number}: ${sectorWords[state]}`}</title>
            <path class="sector-area" d={arc(from + gap / 2, to - gap / 2, inner, outer)} />
            <text x={label.x} y={label.y}>
              {number}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** @param degrees counter-clockwise from up */
function pointAt(degrees: number, radius: number): { readonly x: number; readonly y: number } {
  const radians = (degrees * Math.PI) / 180;
  return { x: round(-radius * Math.sin(radians)), y: round(-radius * Math.cos(radians)) };
}

function arc(from: number, to: number, inner: number, outer: number): string {
  const [a, b] = [pointAt(from, outer), pointAt(to, outer)];
  const [c, d] = [pointAt(to, inner), pointAt(from, inner)];
  return `M${a.x} ${a.y}A${outer} ${outer} 0 0 0 ${b.x} ${b.y}L${c.x} ${c.y}A${inner} ${inner} 0 0 1 ${d.x} ${d.y}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
