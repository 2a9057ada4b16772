import { contourFault, mostCorners, type Point } from '@azimuth/model';
import type { Plan } from '../live/plan.js';
import type { Viewport } from '../live/viewport.js';
import { MeetingSides } from './areas.js';
import { type Drawing, drawingHint, outlineOf } from './drawing.js';
import type { FieldEditor } from './field-editor.js';
import { millimetres, onScreen, polygonPoints, reachOf } from './plan-millimetres.js';
import { snapped } from './snapping.js';
import { spokenFault } from './spoken-fault.js';

/** CSS pixels around a corner within which a press is on it. */
export const pressReach = 14;

/** Where the next press would be: the place of the pointer, snapped. */
function nextPoint(editor: FieldEditor, plan: Plan): Point | undefined {
  const pointer = plan.pointer.value;
  if (pointer === undefined) return undefined;
  return snapped(millimetres(pointer), editor.snap(reachOf(plan.viewport.value, pressReach)));
}

/** What is being drawn, with the side to the pointer. */
export function DrawingPreview({
  editor,
  plan,
  drawing,
}: {
  editor: FieldEditor;
  plan: Plan;
  drawing: Drawing;
}) {
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
      {drawing.tool === 'polygon' && <MeetingSides points={drawing.points} viewport={viewport} />}
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

/** What to press next, and what would be wrong with the contour if it were closed now. */
export function DrawingHelp({ editor, drawing }: { editor: FieldEditor; drawing: Drawing }) {
  const { tool, points } = drawing;
  const fault = tool === 'polygon' && points.length >= 3 ? contourFault(points) : undefined;
  return (
    <div class="drawing-help" role="status">
      <p>{drawingHint(drawing)}</p>
      {tool === 'polygon' && points.length > 0 && (
        <p class="small soft">
          {points.length} of at most {mostCorners} corners.
          {points.length >= mostCorners && ' No more can be added: close it.'}
        </p>
      )}
      {fault !== undefined && (
        <p class="small refusal">Closed like this, it is not valid: {spokenFault(fault)}.</p>
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
