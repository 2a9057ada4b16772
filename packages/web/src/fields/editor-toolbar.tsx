import { Choice, choosing, Tick, ticking, useKeys } from '../parts/inputs.js';
import { Icon } from '../parts/states.js';
import { snapSteps } from './contour.js';
import { canClose, type DrawingTool, withoutLastPoint } from './drawing.js';
import type { FieldEditor } from './field-editor.js';

const tools: readonly (readonly [DrawingTool, string, string])[] = [
  ['polygon', 'Polygon', 'M2 12 4 3 11 1 14 8 9 14Z'],
  ['rectangle', 'Rectangle', 'M2 4H14V12H2Z'],
  ['sector', 'Sector', 'M2 14V3A11 11 0 0 1 13 14Z'],
];

/** The tools that draw, and what points snap to. */
export function DrawingTools({ editor }: { editor: FieldEditor }) {
  const tool = editor.drawing.value?.tool;
  const mayDraw =
    editor.scanner.definable.value === 'all' ||
    (editor.scanner.knowsContours.value && editor.selected.value?.Points.length === 0);
  return (
    <>
      <span class="group">
        {tools.map(([name, label, path]) => (
          <button
            key={name}
            type="button"
            aria-pressed={tool === name}
            disabled={!mayDraw}
            title={`Draw a ${label.toLowerCase()}`}
            onClick={() => editor.draw(tool === name ? undefined : name)}
          >
            <Icon kind="icon" size={16} path={path} />
            <span class="hidden-on-phone">{label}</span>
          </button>
        ))}
      </span>
      <fieldset class="group small snaps">
        <legend class="hidden-text">Points snap to</legend>
        <Choice
          words="Grid "
          kind="group"
          {...choosing(editor.snapStep)}
          options={snapSteps.map((step) => [step, step === 1 ? 'off' : `${step} mm`])}
        />
        <Tick kind="group" title="Points snap to corners of other fields" {...ticking(editor.snapsToCorners)}>
          {' '}
          Corners
        </Tick>
        <Tick kind="group" title="Points snap to what the scanner measures" {...ticking(editor.snapsToScan)}>
          {' '}
          Scan
        </Tick>
      </fieldset>
    </>
  );
}

export function UndoButtons({ editor }: { editor: FieldEditor }) {
  return (
    <span class="group">
      <button type="button" disabled={!editor.canUndo.value} title="Ctrl+Z" onClick={() => editor.undo()}>
        Undo
      </button>
      <button
        type="button"
        disabled={!editor.canRedo.value}
        title="Ctrl+Shift+Z"
        onClick={() => editor.redo()}
      >
        Redo
      </button>
    </span>
  );
}

/** The keys of the page: undo and redo, and those of a drawing. */
export function useEditorKeys(editor: FieldEditor): void {
  useKeys((event) => undoOrRedo(editor, event) || drawingKey(editor, event));
}

function undoOrRedo(editor: FieldEditor, { ctrlKey, metaKey, shiftKey, key }: KeyboardEvent): boolean {
  if (!ctrlKey && !metaKey) return false;
  const letter = key.toLowerCase();
  if (letter === 'y' || (letter === 'z' && shiftKey)) editor.redo();
  else if (letter === 'z') editor.undo();
  else return false;
  return true;
}

function drawingKey(editor: FieldEditor, { key, target }: KeyboardEvent): boolean {
  const drawing = editor.drawing.peek();
  if (drawing === undefined) return false;
  const isOnButton = target instanceof Element && target.closest('button, a') !== null;
  if (key === 'Escape') editor.draw(undefined);
  else if (key === 'Backspace') editor.drawing.value = withoutLastPoint(drawing);
  else if (key === 'Enter' && !isOnButton && canClose(drawing)) editor.finishDrawing();
  else return false;
  return true;
}
