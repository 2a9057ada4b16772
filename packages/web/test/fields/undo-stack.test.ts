import { expect, test } from 'vitest';
import { UndoStack } from '../../src/fields/field-editor.js';

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
