import { extensions, type FieldDefinitions, type Point } from '@azimuth/model';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Act } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { LiveState } from '../live/live-state.js';
import { marksLayer } from '../live/marks-layer.js';
import { NoScan } from '../live/no-scan.js';
import { ScanLayer } from '../live/scan-layer.js';
import { setting } from '../parts/inputs.js';
import { linkTo, route } from '../parts/route.js';
import { FloorPlan } from '../plan/floor-plan.js';
import { gridLayer } from '../plan/grid-layer.js';
import { millimetres, type Plan, type PlanBounds, type PlanPoint, reachOf } from '../plan/plan.js';
import { ChangesBar } from './changes-bar.js';
import { areaAt, nearestPoint, snapped } from './contour.js';
import { groupOf } from './draft.js';
import { pressed } from './drawing.js';
import { EditorToolbar, useEditorKeys } from './editor-toolbar.js';
import { EvaluationInspector } from './evaluation-inspector.js';
import { addressOf, editorOf, type FieldEditor, noFields, selectionAt } from './field-editor.js';
import { FieldList } from './field-list.js';
import { DrawingHelp, FieldsOverlay, pressReach } from './fields-overlay.js';
import { GroupInspector } from './group-inspector.js';
import { NearestSeen } from './nearest-seen.js';
import { TeachInPanel } from './teach-in-panel.js';
import '../style/fields.css';
import '../style/field-areas.css';

const { teachIn } = extensions.members;

const page = 'fields';

export default function Fields() {
  const link = scanner();
  const editor = editorOf(link);
  const scans = useMemo(() => withoutSeenArea(link), [link]);
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
  useEditorKeys(editor);
  useSelectionInAddress(editor);
  useFieldsInSight(editor, plan);
  useSeenWhileTeaching(editor, scans);
  const drawing = editor.drawing.value;
  return (
    <div class="fields-page">
      <header class="plan-head">
        <div>
          <h1>Fields</h1>
          <p class="soft small hidden-on-phone">
            Areas that the scanner watches: each tells whether something is in it. Nothing that you draw
            reaches the scanner before you send it.
          </p>
        </div>
        <EditorToolbar
          editor={editor}
          fit={() => plan.fit(boundsOf(editor.definitions.peek() ?? noFields))}
        />
      </header>
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
      <aside class="inspector" aria-label="Inspector">
        <ChangesBar editor={editor} />
        <Inspected editor={editor} />
      </aside>
    </div>
  );
}

function Overview({ editor }: { editor: FieldEditor }) {
  const definable = editor.scanner.definable.value;
  if (editor.definitions.value === undefined) return <p class="empty">Reading the fields …</p>;
  return (
    <section class="panel" aria-label="Fields and groups">
      {definable === 'nothing' && (
        <p class="small soft">
          This release shows the states of fields. Their contours cannot be read or changed.
        </p>
      )}
      {definable === 'contours' && <ReadContours editor={editor} />}
      <FieldList editor={editor} />
      <div class="row">
        {definable === 'all' && (
          <>
            <button type="button" onClick={() => editor.add({ Points: firstContour })}>
              New field
            </button>
            <button type="button" onClick={() => editor.addGroup()}>
              New group
            </button>
          </>
        )}
        <button type="button" onClick={setting(editor.selection, { kind: 'teach-in' })}>
          Teach-in …
        </button>
      </div>
    </section>
  );
}

/** A square ahead of the scanner, to be moved and changed. */
const firstContour = [
  { x: 1000, y: -500 },
  { x: 2000, y: -500 },
  { x: 2000, y: 500 },
  { x: 1000, y: 500 },
];

/** Reads the contours of a scanner that shows them one by one, and only after a login. */
function ReadContours({ editor }: { editor: FieldEditor }) {
  const busy = useSignal(false);
  if (!editor.scanner.lackContours.value) {
    return (
      <p class="small soft">
        This scanner lets one change contours. Everything else about its fields is set by the tool of its
        maker.
      </p>
    );
  }
  return (
    <div class="row">
      <Act kind="main" level="AuthorizedClient" busy={busy} act={() => editor.scanner.readContours()}>
        {busy.value ? 'Reading …' : 'Read the contours'}
      </Act>
      <span class="small soft">The scanner shows them only to somebody who is logged in.</span>
    </div>
  );
}

function Inspected({ editor }: { editor: FieldEditor }) {
  const selection = editor.selection.value;
  const evaluation = editor.selected.value;
  if (evaluation !== undefined)
    return <EvaluationInspector key={evaluation.Id} editor={editor} evaluation={evaluation} />;
  if (selection?.kind === 'group' && groupOf(editor.definitions.value ?? noFields, selection.id))
    return <GroupInspector key={selection.id} editor={editor} id={selection.id} />;
  if (selection?.kind === 'teach-in') return <TeachInPanel editor={editor} />;
  return <Overview editor={editor} />;
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
function withoutSeenArea(link: ScannerLink): LiveState {
  const scans = new LiveState([link]);
  scans.showsSeen.value = false;
  return scans;
}

/** The rectangle around all fields and the scanner. */
function boundsOf({ evaluations }: FieldDefinitions): PlanBounds {
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

/** The address names the selection, so that a link can, too. */
function useSelectionInAddress(editor: FieldEditor): void {
  useEffect(() => {
    const selection = selectionAt(route.peek().split('/')[1] ?? '');
    if (selection !== undefined) editor.selection.value = selection;
  }, [editor]);
  useSignalEffect(() => {
    const address = linkTo(page, addressOf(editor.selection.value));
    if (route.peek().split('/')[0] === page && location.hash !== address) location.replace(address);
  });
}
