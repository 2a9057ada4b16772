import type { FieldDefinitions, Point } from '@azimuth/model';
import { extensions } from '@azimuth/model';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { knownValue } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { LiveState } from '../live/live-state.js';
import { marksLayer } from '../live/marks-layer.js';
import { NoScan } from '../live/no-scan.js';
import { ScanLayer } from '../live/scan-layer.js';
import { FloorPlan } from '../plan/floor-plan.js';
import { gridLayer } from '../plan/grid-layer.js';
import { millimetres, type Plan, type PlanBounds, type PlanPoint, reachOf } from '../plan/plan.js';
import { areaAt, nearestPoint, snapped } from './contour.js';
import { pressed } from './drawing.js';
import type { FieldEditor } from './field-editor.js';
import { DrawingHelp, FieldsOverlay, pressReach } from './fields-overlay.js';
import { NearestSeen } from './nearest-seen.js';

const { teachIn } = extensions.members;

/** The fields above what the scanner sees, where they are drawn. */
export function FieldsStage({ editor, scans }: { editor: FieldEditor; scans: LiveState }) {
  const layers = useMemo(() => [gridLayer, new ScanLayer(scans), marksLayer(scans)], [scans]);
  const { plan } = scans;
  useEffect(() => {
    scans.open();
    editor.measuredNear = (point) => measuredNear(scans, point);
    return () => {
      editor.measuredNear = () => undefined;
      scans.close();
    };
  }, [scans, editor]);
  useFieldsInSight(editor, plan);
  useSeenWhileTeaching(editor, scans);
  const drawing = editor.drawing.value;
  return (
    <div class={`stage${drawing === undefined ? '' : ' is-drawing'}`}>
      <FloorPlan
        plan={plan}
        layers={layers}
        label="Floor plan with the fields of the scanner. Arrows move it, plus and minus zoom."
        onPress={(point) => press(editor, plan, point)}
      >
        <FieldsOverlay editor={editor} plan={plan} />
      </FloorPlan>
      <NoScan state={scans} />
      {drawing !== undefined && <DrawingHelp editor={editor} drawing={drawing} />}
    </div>
  );
}

/** Handles a press on the view: draws, or selects the area at this point. */
function press(editor: FieldEditor, plan: Plan, place: PlanPoint): void {
  const viewport = plan.viewport.peek();
  const drawing = editor.drawing.peek();
  const point = millimetres(place);
  if (drawing === undefined) {
    const selection = editor.selection.peek();
    const before = selection?.kind === 'evaluation' ? selection.id : undefined;
    const evaluation = areaAt(editor.definitions.peek()?.evaluations ?? [], point, before);
    editor.selection.value = evaluation && { kind: 'evaluation', id: evaluation.Id };
    return;
  }
  const reach = reachOf(viewport, pressReach);
  const isOnFirst = nearestPoint(drawing.points.slice(0, 1), point, reach) !== undefined;
  const { drawing: next, isDone } = pressed(drawing, snapped(point, editor.snap(reach)), isOnFirst);
  editor.drawing.value = next;
  if (isDone) editor.finishDrawing();
}

/** The scans below the fields. The area that the scanner sees into would look like one more field. */
export function withoutSeenArea(link: ScannerLink): LiveState {
  const scans = new LiveState([link]);
  scans.showsSeen.value = false;
  return scans;
}

/** The rectangle around all fields and the scanner. */
export function boundsOf({ evaluations }: FieldDefinitions): PlanBounds {
  const corners = evaluations.flatMap(({ Points }) => Points);
  const [xs, ys] = [corners.map(({ x }) => x / 1000), corners.map(({ y }) => y / 1000)];
  return {
    minX: Math.min(-1, ...xs),
    maxX: Math.max(1, ...xs),
    minY: Math.min(-1, ...ys),
    maxY: Math.max(1, ...ys),
  };
}

/** Shows all fields of the scanner when they become known. If there are none, the first scan decides the view. */
function useFieldsInSight(editor: FieldEditor, plan: Plan): void {
  const isFirst = useRef(true);
  useSignalEffect(() => {
    const definitions = editor.definitions.value;
    if (definitions === undefined || plan.viewport.value.width === 0 || !isFirst.current) return;
    isFirst.current = false;
    if (definitions.evaluations.some(({ Points }) => Points.length > 0)) plan.fit(boundsOf(definitions));
  });
}

/** Shows the nearest echoes during a teach-in, four times a second. */
function useSeenWhileTeaching(editor: FieldEditor, scans: LiveState): void {
  const seen = useRef<NearestSeen | undefined>(undefined);
  useSignalEffect(() => {
    const since = editor.teachingSince.value;
    seen.current = since === undefined ? undefined : new NearestSeen(since);
  });
  useSignalEffect(() => {
    void scans.seconds.value;
    const [source] = scans.sources;
    if (editor.teachingSince.value === undefined || seen.current === undefined || source === undefined) {
      editor.seenWhileTeaching.value = [];
      return;
    }
    seen.current.add(source.history);
    const { DistanceInFront } = knownValue(editor.link, teachIn) ?? teachIn.type.initial;
    editor.seenWhileTeaching.value = seen.current.contour(source.placement.value, DistanceInFront);
  });
}

/** The measured point near a point; both in mm. */
function measuredNear(scans: LiveState, { x, y }: Point): Point | undefined {
  const seen = scans.seenNear({ x: x / 1000, y: y / 1000 });
  return seen && millimetres(seen.echo.point);
}
