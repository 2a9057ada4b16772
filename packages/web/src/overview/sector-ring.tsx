import { SectorContamination, sectorCount } from '@azimuth/model';
import { sectorWords } from './front-screen.js';

/** Degrees: where the front screen begins, counter-clockwise from straight ahead, and how much of it a sector has. */
const begin = -138;
const step = 23;
/** Degrees that stay free between two sectors. */
const gap = 1.2;

const classes: Readonly<Record<number, string>> = {
  [SectorContamination.CM_DATA_NONE]: 'none',
  [SectorContamination.CM_DATA_CLEAN]: 'clean',
  [SectorContamination.CM_DATA_WARN]: 'warn',
  [SectorContamination.CM_DATA_ERROR]: 'error',
};

/**
 * The front screen from above, as a ring about the origin: straight ahead is up, sector 1 at the lower right. Dirt is
 * hatched; the more, the narrower.
 */
export function SectorRing({
  sectors,
  inner,
  outer,
}: {
  sectors: readonly number[];
  inner: number;
  outer: number;
}) {
  const middle = (inner + outer) / 2;
  return (
    <g class="sectors">
      <defs>
        <pattern
          id="hatch-warn"
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path d="M0 0V5" class="hatch warn" />
        </pattern>
        <pattern
          id="hatch-error"
          width="3"
          height="3"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(-45)"
        >
          <path d="M0 0V3" class="hatch error" />
        </pattern>
      </defs>
      {Array.from({ length: sectorCount }, (_, index) => {
        const from = begin + index * step;
        const state = sectors[index] ?? SectorContamination.CM_DATA_NONE;
        const label = pointAt(from + step / 2, middle);
        return (
          <g key={index} class={`sector ${classes[state] ?? 'none'}`}>
            <title>{`Sector ${index + 1}: ${sectorWords[state] ?? 'unknown'}`}</title>
            <path class="sector-area" d={arc(from + gap / 2, from + step - gap / 2, inner, outer)} />
            <text x={label.x} y={label.y}>
              {index + 1}
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
