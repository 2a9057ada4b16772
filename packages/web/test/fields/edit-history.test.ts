import { sameJson } from '@azimuth/model';
import { expect, test } from 'vitest';
import { EditHistory } from '../../src/fields/edit-history.js';

const named = (name: string) => ({ name });
type Named = ReturnType<typeof named>;
const first = named('first');
const second = named('second');
const third = named('third');
const fourth = named('fourth');
const onScanner = first;
const arrives = () => Promise.resolve();

/** A history in which each change follows the one before. */
function historyOf(...steps: readonly Named[]) {
  const history = new EditHistory<Named>(sameJson);
  const change = (next: Named, gesture?: string) =>
    history.change(history.draft.value ?? onScanner, next, gesture);
  for (const step of steps) change(step);
  return { history, change };
}

test('steps are undone and done again in their order', () => {
  const { history } = historyOf(second, third);
  history.undo(onScanner);
  expect(history.draft.value).toBe(second);
  history.undo(onScanner);
  // The page follows the scanner again.
  expect([history.draft.value, history.canUndo.value]).toEqual([undefined, false]);
  history.undo(onScanner);
  history.redo(onScanner);
  history.redo(onScanner);
  expect([history.draft.value, history.canRedo.value]).toEqual([third, false]);
});

test('a new step forgets what was undone', () => {
  const { history, change } = historyOf(second);
  history.undo(onScanner);
  change(third);
  expect(history.canRedo.value).toBe(false);
  history.undo(onScanner);
  expect(history.draft.value).toBeUndefined();
});

test('the changes of one gesture are one step, and a gesture does not go on after an undo', () => {
  const { history, change } = historyOf();
  change(second, 'drag 1');
  change(third, 'drag 1');
  change(fourth, 'drag 2');
  history.undo(onScanner);
  expect(history.draft.value).toBe(third);
  change(second, 'drag 2');
  history.undo(onScanner);
  expect(history.draft.value).toBe(third);
  history.undo(onScanner);
  expect(history.canUndo.value).toBe(false);
});

test('what was sent is undone as a draft, and redone', async () => {
  const { history } = historyOf(second);
  await history.send(second, arrives, () => second);
  expect(history.draft.value).toBeUndefined();
  history.undo(second);
  expect(history.draft.value).toBe(first);
  history.redo(second);
  expect(history.draft.value).toBeUndefined();
});

test('an edit that is made while another one is sent stays', async () => {
  const { history, change } = historyOf(second);
  const sent = history.send(second, arrives, () => second);
  change(third);
  await sent;
  expect(history.draft.value).toBe(third);
});

test('a step back to what the scanner is about to lose stays a draft', async () => {
  const { history } = historyOf(second);
  const sent = history.send(second, arrives, () => second);
  history.undo(first);
  expect(history.draft.value).toBe(first);
  await sent;
  expect(history.draft.value).toBe(first);
  history.redo(second);
  expect(history.draft.value).toBeUndefined();
});

test('of two drafts that are sent at once, a step back to the first stays until the second has arrived', async () => {
  const { history, change } = historyOf(second);
  const latest = { value: first };
  const sendOf = (draft: Named) => {
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = () => {
        latest.value = draft;
        resolve();
      };
    });
    return {
      sent: history.send(
        draft,
        () => arrival,
        () => latest.value,
      ),
      arrive,
    };
  };
  const one = sendOf(second);
  change(third);
  const other = sendOf(third);
  one.arrive();
  await one.sent;
  history.undo(second);
  other.arrive();
  await other.sent;
  expect(history.draft.value).toBe(second);
});

test('a draft that is discarded while it is sent leaves what the scanner had as a draft', async () => {
  const { history } = historyOf(second);
  const sent = history.send(second, arrives, () => second);
  history.discard(first);
  await sent;
  expect(history.draft.value).toBe(first);
});

test('if the scanner refuses it, the draft stays, and a step back to what the scanner has ends it', async () => {
  const { history } = historyOf(second);
  const refuse = () => Promise.reject(new Error('refused'));
  await expect(history.send(second, refuse, () => first)).rejects.toThrow('refused');
  expect(history.draft.value).toBe(second);
  const sent = history.send(second, refuse, () => first);
  history.undo(first);
  await expect(sent).rejects.toThrow('refused');
  expect(history.draft.value).toBeUndefined();
});

test('a draft that a change of the scanner itself drops comes back', () => {
  const { history } = historyOf(second);
  history.happened(onScanner);
  history.undo(third);
  expect(history.draft.value).toBe(first);
  history.undo(third);
  expect(history.draft.value).toBe(second);
});

test('a discarded draft comes back, and so does what the scanner had before it changed something itself', () => {
  const { history } = historyOf(second);
  history.discard(onScanner);
  expect(history.draft.value).toBeUndefined();
  history.undo(onScanner);
  expect(history.draft.value).toBe(second);
  history.happened(onScanner);
  history.undo(third);
  expect(history.draft.value).toBe(first);
});

test('what changes nothing is no step', () => {
  expect(historyOf(first).history.canUndo.value).toBe(false);
});

test('only the last 200 steps are kept', () => {
  const { history } = historyOf(...Array.from({ length: 300 }, (_, index) => ({ name: String(index) })));
  let undone = 0;
  for (; history.canUndo.value; undone++) history.undo(onScanner);
  expect(undone).toBe(200);
});
