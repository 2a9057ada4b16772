import { EvaluationGroupType, type FieldDefinitions } from '@azimuth/model';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ScannerLink } from '../../src/connection/scanner-link.js';
import { editorOf, FieldEditor, isField, noFields } from '../../src/fields/field-editor.js';
import { teachInOf } from '../../src/fields/teach-in.js';
import { keyOf, withWire } from '../../src/fields/wires.js';

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
    expect(editor.changes.value).toEqual([]);
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
    expect([editor.definitions.value, editor.changes.value, editor.drawing.value]).toEqual([
      noFields,
      [],
      undefined,
    ]);
    // A mistaken press of Discard loses nothing.
    editor.undo();
    expect(pointsOf(editor)?.[0]?.[0]).toEqual({ x: 30, y: 0 });
  });

  test('keeps an edit that is made while others are sent', async () => {
    const { editor } = await started();
    editor.add({ Name: 'dock', Points: square });
    const sent = editor.send();
    editor.movePart(1, { of: 'Points', index: 0 }, { x: 30, y: 0 });
    await sent;
    expect(editor.scanner.definitions.value?.evaluations[0]?.Points).toEqual(square);
    expect(editor.changes.value).toMatchObject([{ id: 1, kind: 'changed', members: ['Points'] }]);
    expect(editor.isOutdated.value).toBe(false);
  });

  test('is there again after an undo of what was sent, and takes it back when it is sent', async () => {
    const { editor } = await started();
    editor.add({ Name: 'dock', Points: square });
    await editor.send();
    editor.undo();
    expect(editor.changes.value).toMatchObject([
      { of: 'evaluation', kind: 'deleted' },
      { of: 'group', kind: 'deleted' },
    ]);
    expect([editor.isOutdated.value, editor.scanner.definitions.value?.evaluations.length]).toEqual([
      false,
      1,
    ]);
    await editor.send();
    expect(editor.scanner.definitions.value).toEqual(noFields);
    editor.redo();
    expect(editor.changes.value).toMatchObject([{ kind: 'new' }, { kind: 'new' }]);
  });

  test('takes back what teach-in has made', async () => {
    const { editor, link } = await started();
    const theirs = { evaluations: [{ Id: 4, Name: 'TeachIn', Points: square }], groups: [] };
    const made = await editor.changedByScanner(() => link.write('fields', theirs));
    expect(made).toMatchObject([{ id: 4, kind: 'new' }]);
    expect(editor.changes.value).toEqual([]);
    editor.undo();
    expect(editor.changes.value).toMatchObject([{ id: 4, kind: 'deleted' }]);
  });

  test('has fields and ports, and sends both', async () => {
    const { editor, client } = await started();
    await expect.poll(() => editor.wired.value?.ports?.length).toBe(8);
    editor.add({ Points: square });
    editor.rewire((now) => withWire(now, { kind: 'output', from: 1, to: 2 }));
    expect(editor.unsentWires.value.map(keyOf)).toEqual(['contour-1-1', 'output-1-2']);
    expect(editor.changes.value.map(({ of }) => of)).toEqual(['evaluation', 'group', 'port']);
    await editor.send();
    expect(JSON.stringify(await client.value('PortConfiguration'))).toContain('"FE01"');
    // The lines are one step, the field another one.
    editor.undo();
    expect(editor.changes.value).toMatchObject([{ of: 'port', id: 2 }]);
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

test('a teach-in stops after its time, without the page that has started it', async () => {
  const { editor } = await started();
  const teaching = teachInOf(editor);
  teaching.options.value = { asReference: false, group: 0, seconds: 0.02 };
  await teaching.start();
  expect(editor.teachingSince.value).toBeDefined();
  await expect.poll(() => editor.teachingSince.value).toBeUndefined();
  await expect.poll(() => teaching.busy.value).toBe(false);
});

test('a scanner has one editor, whichever page is shown', async () => {
  const { link } = await started();
  expect(editorOf(link)).toBe(editorOf(link));
});
