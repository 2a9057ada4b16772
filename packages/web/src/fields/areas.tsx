import { type Evaluation, FieldState, meetingSides, type Point } from '@azimuth/model';
import { fittingText, labelRoom } from '../live/area-label.js';
import { isInfringed } from '../live/field-words.js';
import type { Viewport } from '../live/viewport.js';
import { isField } from './field-editor.js';
import type { FieldResult } from './field-results.js';
import { onScreen, polygonPoints } from './plan-millimetres.js';

/** How an area looks: its colour and pattern tell its state. */
function lookOf(evaluation: Evaluation, result: FieldResult | undefined): string {
  if (!isField(evaluation)) return 'distance';
  const state = result?.state ?? FieldState.NOT_CONFIGURED;
  if (isInfringed(state)) return 'infringed';
  return state === FieldState.NOT_CONFIGURED || state === FieldState.INACTIVE ? 'inactive' : 'free';
}

/** The area of an evaluation, with its name. Infringed ones are hatched. */
export function AreaShape({
  evaluation,
  result,
  viewport,
  isSelected,
}: {
  evaluation: Evaluation;
  result: FieldResult | undefined;
  viewport: Viewport;
  isSelected: boolean;
}) {
  const { Id, Name, Points } = evaluation;
  if (Points.length === 0) return null;
  const points = polygonPoints(viewport, Points);
  const look = lookOf(evaluation, result);
  const room = labelRoom(
    Points.map((point) => onScreen(viewport, point)),
    viewport,
  );
  const name = `${Id} ${Name}`.trim();
  const texts = [...(look === 'infringed' ? [`${name} – infringed`] : []), name, String(Id)];
  return (
    <g class={`area ${look}${isSelected ? ' selected' : ''}`}>
      <polygon class="inside" points={points} />
      {look === 'infringed' && <polygon class="hatching" fill="url(#hatching)" points={points} />}
      <polygon class="edge" points={points} />
      {room !== undefined && (
        <text x={room.left} y={room.top} dominant-baseline="central">
          {fittingText(texts, room)}
        </text>
      )}
      <MeetingSides points={Points} viewport={viewport} />
      {result?.position !== undefined && look === 'infringed' && (
        <ObjectMark position={result.position} viewport={viewport} />
      )}
    </g>
  );
}

/** The sides that touch or cross, for which a scanner refuses the contour. */
export function MeetingSides({ points, viewport }: { points: readonly Point[]; viewport: Viewport }) {
  const meeting = points.length > 2 ? meetingSides(points) : undefined;
  if (meeting === undefined) return null;
  return (
    <>
      {[meeting.first, meeting.second].map((index) => {
        const from = onScreen(viewport, points[index] ?? { x: 0, y: 0 });
        const to = onScreen(viewport, points[(index + 1) % points.length] ?? { x: 0, y: 0 });
        return <line key={index} class="meeting" x1={from.left} y1={from.top} x2={to.left} y2={to.top} />;
      })}
    </>
  );
}

/** Where an object is. */
export function ObjectMark({ position, viewport }: { position: Point; viewport: Viewport }) {
  const { left, top } = onScreen(viewport, position);
  return <path class="object" d="M-7-7 7 7M7-7-7 7" transform={`translate(${left} ${top})`} />;
}

/** Lines for infringed areas. */
export function Hatching() {
  return (
    <defs>
      <pattern id="hatching" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="0" y1="0" x2="0" y2="9" class="hatch" />
      </pattern>
    </defs>
  );
}
