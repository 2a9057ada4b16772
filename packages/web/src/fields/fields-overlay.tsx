import {
  contourProblem,
  type Evaluation,
  FieldState,
  meetingEdges,
  mostCorners,
  type Point,
} from '@azimuth/model';
import {
  areaTexts,
  type DistanceResult,
  distanceResults,
  type FieldResult,
  fieldResults,
  isInfringed,
} from '../plan/field-areas.js';
import { fittingText, labelRoom } from '../plan/labels.js';
import { millimetres, onScreen, type Plan, polygonPoints, reachOf, type Viewport } from '../plan/plan.js';
import { snapped } from './contour.js';
import { spokenReason } from './draft.js';
import { type Drawing, drawingHint, outlineOf } from './drawing.js';
import { type FieldEditor, isField } from './field-editor.js';
import { Handles } from './handles.js';

/** The areas of all evaluations above the scan, with the handles of the selected one, and the drawing in progress. */
export function FieldsOverlay({ editor, plan }: { editor: FieldEditor; plan: Plan }) {
  const viewport = plan.viewport.value;
  const evaluations = editor.definitions.value?.evaluations ?? [];
  const results = fieldResults(editor.link.value('FieldEvaluationResult'));
  const distances = distanceResults(editor.link.value('perpendicularDistanceResult'));
  const selected = editor.selected.value;
  const drawing = editor.drawing.value;
  // The selected one on top.
  const inOrder = [...evaluations.filter((one) => one !== selected), ...(selected ? [selected] : [])];
  return (
    <>
      <svg class="overlay fields-overlay" aria-hidden="true">
        <Hatching />
        {inOrder.map((evaluation) => (
          <AreaShape
            key={evaluation.Id}
            evaluation={evaluation}
            result={results.get(evaluation.Id)}
            viewport={viewport}
            isSelected={evaluation === selected}
          />
        ))}
        {evaluations
          .filter((evaluation) => !isField(evaluation))
          .map(({ Id, ReferenceLine }) => (
            <DistanceLine key={Id} line={ReferenceLine} result={distances.get(Id)} viewport={viewport} />
          ))}
        {editor.seenWhileTeaching.value.length > 0 && (
          <polygon class="teach-in" points={polygonPoints(viewport, editor.seenWhileTeaching.value)} />
        )}
        {drawing !== undefined && <DrawingPreview editor={editor} plan={plan} drawing={drawing} />}
      </svg>
      {drawing === undefined && selected !== undefined && (
        <Handles key={selected.Id} editor={editor} plan={plan} evaluation={selected} />
      )}
    </>
  );
}

function stateClass(evaluation: Evaluation, result: FieldResult | undefined): string {
  if (!isField(evaluation)) return 'distance';
  const state = result?.state ?? FieldState.NOT_CONFIGURED;
  if (isInfringed(state)) return 'infringed';
  return state === FieldState.NOT_CONFIGURED || state === FieldState.INACTIVE ? 'inactive' : 'free';
}

function AreaShape({
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
  const state = stateClass(evaluation, result);
  const room = labelRoom(
    Points.map((point) => onScreen(viewport, point)),
    viewport,
  );
  const texts = areaTexts(Id, Name, state === 'infringed');
  return (
    <g class={`area ${state}${isSelected ? ' selected' : ''}`}>
      <polygon class="inside" points={points} />
      {state === 'infringed' && <polygon class="hatching" fill="url(#hatching)" points={points} />}
      <polygon class="edge" points={points} />
      {room !== undefined && (
        <text x={room.left} y={room.top} dominant-baseline="central">
          {fittingText(texts, room)}
        </text>
      )}
      <CrossingSides points={Points} viewport={viewport} />
      {result?.position !== undefined && state === 'infringed' && (
        <ObjectMark position={result.position} viewport={viewport} />
      )}
    </g>
  );
}

/** The sides that touch or cross, for which a scanner refuses the contour. */
function CrossingSides({ points, viewport }: { points: readonly Point[]; viewport: Viewport }) {
  const meeting = points.length > 2 ? meetingEdges(points) : undefined;
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

function ObjectMark({ position, viewport }: { position: Point; viewport: Viewport }) {
  const { left, top } = onScreen(viewport, position);
  return <path class="object" d="M-7-7 7 7M7-7-7 7" transform={`translate(${left} ${top})`} />;
}

function Hatching() {
  return (
    <defs>
      <pattern id="hatching" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="0" y1="0" x2="0" y2="9" class="hatch" />
      </pattern>
    </defs>
  );
}

/** Length of a line beyond its two points, in mm: the line has no end. */
const beyond = 200_000;

function DistanceLine({
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
      {result !== undefined &&
        (
          [
            [result.minimumDistance, result.minimumDistancePosition],
            [result.maximumDistance, result.maximumDistancePosition],
          ] as const
        ).map(([distance, position], index) => (
          <Measured
            key={String(index)}
            distance={distance}
            position={position}
            foot={footOf(position)}
            viewport={viewport}
          />
        ))}
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

/** CSS pixels around a corner within which a press is on it. */
export const pressReach = 14;

/** Position of the next press: the pointer, snapped. */
function nextPoint(editor: FieldEditor, plan: Plan): Point | undefined {
  const pointer = plan.pointer.value;
  if (pointer === undefined) return undefined;
  return snapped(millimetres(pointer), editor.snap(reachOf(plan.viewport.value, pressReach)));
}

function DrawingPreview({ editor, plan, drawing }: { editor: FieldEditor; plan: Plan; drawing: Drawing }) {
  const viewport = plan.viewport.value;
  const next = nextPoint(editor, plan);
  const outline = outlineOf(drawing, next);
  const isOpen = drawing.tool === 'polygon' || drawing.tool === 'line' || outline.length < 3;
  return (
    <g class="drawing">
      {drawing.tool !== 'line' && <polygon class="drawing-shape" points={polygonPoints(viewport, outline)} />}
      {isOpen ? (
        <polyline class="drawing-edge" points={polygonPoints(viewport, outline)} />
      ) : (
        <polygon class="drawing-edge" points={polygonPoints(viewport, outline)} />
      )}
      {drawing.tool === 'polygon' && <CrossingSides points={drawing.points} viewport={viewport} />}
      {drawing.points.map((point, index) => (
        <PressedPoint key={String(index)} point={point} viewport={viewport} isFirst={index === 0} />
      ))}
      {next !== undefined && <PressedPoint point={next} viewport={viewport} isFirst={false} />}
    </g>
  );
}

function PressedPoint({ point, viewport, isFirst }: { point: Point; viewport: Viewport; isFirst: boolean }) {
  const { left, top } = onScreen(viewport, point);
  return <circle class={isFirst ? 'pressed first' : 'pressed'} cx={left} cy={top} r={isFirst ? 7 : 4} />;
}

export function DrawingHelp({ editor, drawing }: { editor: FieldEditor; drawing: Drawing }) {
  const { tool, points } = drawing;
  const problem = tool === 'polygon' && points.length >= 3 ? contourProblem(points) : undefined;
  return (
    <div class="drawing-help" role="status">
      <p>{drawingHint(drawing)}</p>
      {tool === 'polygon' && points.length > 0 && (
        <p class="small soft">
          {points.length} of at most {mostCorners} corners.
          {points.length >= mostCorners && ' No more can be added: close it.'}
        </p>
      )}
      {problem !== undefined && (
        <p class="small refusal">Closed like this, it is not valid: {spokenReason(problem)}.</p>
      )}
      <div class="row">
        {tool === 'polygon' && (
          <button
            type="button"
            class="main"
            disabled={points.length < 3}
            onClick={() => editor.finishDrawing()}
          >
            Close
          </button>
        )}
        <button type="button" onClick={() => editor.draw(undefined)}>
          Cancel
        </button>
      </div>
    </div>
  );
}
