import type { Evaluation, Point } from '@azimuth/model';
import type { Viewport } from '../live/viewport.js';
import { ObjectMark } from './areas.js';
import type { DistanceResult } from './field-results.js';
import { onScreen } from './plan-millimetres.js';

/** How far a line is drawn beyond its two points, in mm: it has no end. */
const beyond = 200_000;

/** The reference line of a perpendicular distance, with the nearest and the furthest thing and their distances. */
export function DistanceLine({
  line,
  result,
  viewport,
}: {
  line: Evaluation['ReferenceLine'];
  result: DistanceResult | undefined;
  viewport: Viewport;
}) {
  const [from, to] = line;
  if (from === undefined || to === undefined) return null;
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const [start, end] = [onScreen(viewport, from), onScreen(viewport, to)];
  const far = [-beyond, length + beyond].map((distance) =>
    onScreen(viewport, { x: from.x + along.x * distance, y: from.y + along.y * distance }),
  );
  const turn = (Math.atan2(end.top - start.top, end.left - start.left) * 180) / Math.PI;
  const footOf = (point: Point): Point => {
    const ahead = (point.x - from.x) * along.x + (point.y - from.y) * along.y;
    return { x: from.x + along.x * ahead, y: from.y + along.y * ahead };
  };
  return (
    <g class="distance-line">
      <line class="endless" x1={far[0]?.left} y1={far[0]?.top} x2={far[1]?.left} y2={far[1]?.top} />
      <line class="given" x1={start.left} y1={start.top} x2={end.left} y2={end.top} />
      <path
        class="arrow"
        d="M-12-6 0 0-12 6"
        transform={`translate(${end.left} ${end.top}) rotate(${turn})`}
      />
      {result !== undefined && (
        <>
          <Measured
            distance={result.minimumDistance}
            position={result.minimumDistancePosition}
            foot={footOf(result.minimumDistancePosition)}
            viewport={viewport}
          />
          <Measured
            distance={result.maximumDistance}
            position={result.maximumDistancePosition}
            foot={footOf(result.maximumDistancePosition)}
            viewport={viewport}
          />
        </>
      )}
    </g>
  );
}

function Measured({
  distance,
  position,
  foot,
  viewport,
}: {
  distance: number;
  position: Point;
  foot: Point;
  viewport: Viewport;
}) {
  const at = onScreen(viewport, position);
  const down = onScreen(viewport, foot);
  return (
    <>
      <line class="perpendicular" x1={at.left} y1={at.top} x2={down.left} y2={down.top} />
      <ObjectMark position={position} viewport={viewport} />
      <text x={at.left} y={at.top - 12}>
        {distance} mm
      </text>
    </>
  );
}
