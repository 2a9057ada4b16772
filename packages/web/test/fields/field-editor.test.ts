import { EvaluationGroupType, type FieldDefinitions } from '@azimuth/model';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ScannerLink } from '../../src/connection/scanner-link.js';
import { editorOf, FieldEditor, isField, noFields, UndoStack } from '../../src/fields/field-editor.js';

beforeEach(() => {
  const nothing = () => null;
  vi.stubGlobal('sessionStorage', { getItem: nothing, setItem: nothing, removeItem: nothing });
  onTestFinished(() => void vi.unstubAllGlobals());
});

/** An editor for the fields of a scanner in this process, which has none yet. */
async function started() {
  const scanner = await TestScanner.start({ legacy: 'closed' });
  const link = new ScannerLink(`http://127.0.0.1:${scanner.httpPort}`);
  onTestFinished(() => link.close());
  link.open();
  await link.login.enter('Service', 'servicelevel', false);
  const editor = new FieldEditor(link);
  await expect.poll(() => editor.definitions.value).toEqual(noFields);
  return { editor, link, client: scanner.client() };
}

const square = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 1000, y: 1000 },
  { x: 0, y: 1000 },
];
const line = square.slice(0, 2);

function drawnInto(editor: FieldEditor, tool: 'polygon' | 'line', points: typeof square): void {
  editor.draw(tool);
  editor.drawing.value = { tool, points };
  editor.finishDrawing();
}

const pointsOf = ({ definitions }: FieldEditor) => definitions.value?.evaluations.map(({ Points }) => Points);

describe('a draft', () => {
  test('shows the fields of the scanner until something is edited, and reaches it when it is sent', async () => {
    const { editor, client } = await started();
    expect([editor.canUndo.value, editor.changes.value]).toEqual([false, []]);
    editor.add({ Name: 'dock', Points: square });
    expect(editor.selection.value).toMatchObject({ kind: 'evaluation', id: 1 });
    expect(editor.selected.value).toMatchObject({ Id: 1, Name: 'dock' });
    // The evaluation, and the group that it is put into.
    expect(editor.changes.value).toMatchObject([{ kind: 'new' }, { kind: 'new' }]);
    expect(editor.canUndo.value).toBe(true);
    expect(editor.scanner.definitions.value).toEqual(noFields);
    await editor.send();
    expect([editor.canUndo.value, editor.changes.value]).toEqual([false, []]);
    expect(editor.definitions.value?.evaluations).toMatchObject([{ Id: 1, Name: 'dock', Points: square }]);
    const response = await client.send({ method: 'GET', path: '/x/fields' });
    expect(response.text).toContain('"dock"');
  });

  test('is undone and redone step by step, a gesture being one step, and discarded', async () => {
    const { editor } = await started();
    editor.add({ Points: square });
    const gesture = {};
    for (const x of [10, 20, 30]) editor.movePart(1, { of: 'Points', index: 0 }, { x, y: 0 }, gesture);
    expect(pointsOf(editor)?.[0]?.[0]).toEqual({ x: 30, y: 0 });
    editor.undo();
    expect(pointsOf(editor)?.[0]?.[0]).toEqual({ x: 0, y: 0 });
    expect(editor.canRedo.value).toBe(true);
    editor.redo();
    expect(pointsOf(editor)?.[0]?.[0]).toEqual({ x: 30, y: 0 });
    editor.draw('polygon');
    editor.discard();
    expect([editor.definitions.value, editor.canUndo.value, editor.drawing.value]).toEqual([
      noFields,
      false,
      undefined,
    ]);
  });

  test('is overtaken if somebody else changes the fields, and says why the scanner would refuse it', async () => {
    const { editor, link } = await started();
    editor.add({ Points: square.slice(0, 2) });
    expect([editor.isOutdated.value, editor.refusals.value.length > 0]).toEqual([false, true]);
    const theirs: FieldDefinitions = { ...noFields, evaluations: [] };
    await link.write('fields', theirs);
    expect(editor.isOutdated.value).toBe(false);
    const other = new FieldEditor(link);
    other.add({ Points: square });
    await other.send();
    expect(editor.isOutdated.value).toBe(true);
  });
});

describe('what is drawn', () => {
  test('is a new area, or that of the selected evaluation if it has none', async () => {
    const { editor } = await started();
    drawnInto(editor, 'polygon', square);
    expect(pointsOf(editor)).toEqual([square]);
    drawnInto(editor, 'polygon', square.slice(0, 3));
    expect(pointsOf(editor)).toEqual([square, square.slice(0, 3)]);
    editor.add({ Name: 'empty' });
    drawnInto(editor, 'polygon', square);
    expect(pointsOf(editor)).toEqual([square, square.slice(0, 3), square]);
    expect(editor.drawing.value).toBeUndefined();
  });

  test('is the line of the selected evaluation, and of none if none is selected', async () => {
    const { editor } = await started();
    drawnInto(editor, 'line', line);
    expect(editor.definitions.value).toEqual(noFields);
    editor.add({ Type: EvaluationGroupType.PERPENDICULAR_DISTANCE, Points: square });
    drawnInto(editor, 'line', line);
    expect(editor.selected.value?.ReferenceLine).toEqual(line);
    expect(editor.definitions.value?.evaluations.map(isField)).toEqual([false]);
  });
});

describe('an area', () => {
  test('moves with its line, from where it was when the gesture began', async () => {
    const { editor } = await started();
    editor.add({ Points: square, ReferenceLine: line });
    const from = editor.selected.value;
    if (from === undefined) throw new Error('nothing is selected');
    for (const x of [50, 100]) editor.moveArea(from, { x, y: -10 }, from);
    expect(editor.selected.value?.Points[0]).toEqual({ x: 100, y: -10 });
    expect(editor.selected.value?.ReferenceLine).toEqual([
      { x: 100, y: -10 },
      { x: 1100, y: -10 },
    ]);
  });

  test('loses corners until two would be left, and a line both ends at once', async () => {
    const { editor } = await started();
    editor.add({ Points: square, ReferenceLine: line });
    const counts = () => [editor.selected.value?.Points.length, editor.selected.value?.ReferenceLine.length];
    editor.deletePart(1, { of: 'Points', index: 1 });
    expect(counts()).toEqual([3, 2]);
    expect(editor.selected.value?.Points[1]).toEqual(square[2]);
    editor.deletePart(1, { of: 'Points', index: 0 });
    editor.deletePart(1, { of: 'ReferenceLine', index: 0 });
    expect(counts()).toEqual([0, 0]);
    editor.deletePart(9, { of: 'Points', index: 0 });
    expect(counts()).toEqual([0, 0]);
  });

  test('snaps to the corners and lines of others, as far as that is wanted', async () => {
    const { editor } = await started();
    editor.add({ Points: square, ReferenceLine: line });
    editor.add({ Points: square.slice(0, 3) });
    expect(editor.snap(30, 1)).toEqual({
      ...{ step: 50, corners: square.slice(0, 3), reach: 30, measuredNear: undefined },
    });
    expect(editor.snap(30, 2).corners).toEqual([...square, ...line]);
    expect(editor.snap(30).corners).toHaveLength(9);
    editor.snapsToCorners.value = false;
    editor.snapsToScan.value = true;
    editor.measuredNear = () => ({ x: 7, y: 7 });
    expect([editor.snap(30).corners, editor.snap(30).measuredNear?.({ x: 0, y: 0 })]).toEqual([
      [],
      { x: 7, y: 7 },
    ]);
  });
});

test('a scanner has one editor, whichever page is shown', async () => {
  const { link } = await started();
  expect(editorOf(link)).toBe(editorOf(link));
});

const first = { name: 'first' };
const second = { name: 'second' };
const third = { name: 'third' };
const fourth = { name: 'fourth' };

function stackOf(...steps: readonly object[]) {
  const stack = new UndoStack<object>(first);
  for (const step of steps) stack.change(step);
  return stack;
}

test('steps are undone and done again in their order', () => {
  const stack = stackOf(second, third);
  stack.undo();
  expect(stack.present.value).toBe(second);
  stack.undo();
  expect([stack.present.value, stack.canUndo.value]).toEqual([first, false]);
  stack.undo();
  stack.redo();
  stack.redo();
  expect([stack.present.value, stack.canRedo.value]).toEqual([third, false]);
});

test('a new step forgets what was undone', () => {
  const stack = stackOf(second);
  stack.undo();
  stack.change(third);
  expect(stack.canRedo.value).toBe(false);
  stack.undo();
  expect(stack.present.value).toBe(first);
});

test('the changes of one gesture are one step', () => {
  const stack = stackOf();
  stack.change(second, 'drag 1');
  stack.change(third, 'drag 1');
  stack.change(fourth, 'drag 2');
  stack.undo();
  expect(stack.present.value).toBe(third);
  stack.undo();
  expect(stack.present.value).toBe(first);
});

test('a gesture does not go on after an undo', () => {
  const stack = stackOf();
  stack.change(second, 'drag');
  stack.change(third, 'drag');
  stack.undo();
  stack.change(fourth, 'drag');
  expect(stack.canUndo.value).toBe(true);
  stack.undo();
  expect(stack.present.value).toBe(first);
});

test('what changes nothing is no step', () => {
  expect(stackOf(first).canUndo.value).toBe(false);
});

test('only the last 200 steps are kept', () => {
  const stack = stackOf(...Array.from({ length: 300 }, (_, index) => ({ index })));
  let undone = 0;
  for (; stack.canUndo.value; undone++) stack.undo();
  expect(undone).toBe(200);
});
