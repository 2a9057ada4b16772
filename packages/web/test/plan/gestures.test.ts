import { expect, test } from 'vitest';
import { followGestures, type PlanEvents } from '../../src/plan/gestures.js';
import { Plan } from '../../src/plan/plan.js';

/** A plan of 400 by 200 pixels at 10, 20 on the page, and an element that tells what is done on it. */
function followed(events: PlanEvents = {}) {
  const plan = new Plan();
  plan.resize(400, 200);
  const target = new EventTarget();
  const captured: number[] = [];
  // A browser is not here: of the element, there is what gestures need.
  const element = Object.assign(Object.create(null), {
    tabIndex: -1,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    getBoundingClientRect: () => ({ left: 10, top: 20 }),
    setPointerCapture: (id: number) => void captured.push(id),
    matches: () => true,
  });
  const stop = followGestures(element, plan, () => events);
  const send = (type: string, given: object = {}) => {
    const event = new Event(type, { cancelable: true });
    const defaults = { pointerId: 1, button: 0, clientX: 10, clientY: 20, ctrlKey: false, deltaMode: 0 };
    for (const [name, value] of Object.entries({ ...defaults, ...given }))
      Object.defineProperty(event, name, { value });
    if (!Object.hasOwn(event, 'target')) Object.defineProperty(event, 'target', { value: element });
    target.dispatchEvent(event);
    return event;
  };
  const at = (left: number, top: number) => ({ clientX: left + 10, clientY: top + 20 });
  const { scale } = plan.viewport.value;
  /** What has moved, in pixels to the right and down, and by which factor it is larger. */
  const moved = () => {
    const now = plan.viewport.value;
    return [Math.round(now.y * now.scale), Math.round(now.x * now.scale), now.scale / scale];
  };
  return { plan, element, captured, send, at, moved, stop, scale };
}

test('a drag moves the plan with the pointer, once it is more than a press', () => {
  const { send, at, moved, captured } = followed();
  send('pointerdown', at(100, 50));
  send('pointermove', at(104, 53));
  expect([moved(), captured]).toEqual([[0, 0, 1], [1]]);
  send('pointermove', at(130, 40));
  expect(moved()).toEqual([30, -10, 1]);
  send('pointermove', at(131, 41));
  expect(moved()).toEqual([31, -9, 1]);
  send('pointerup', at(131, 41));
  send('pointermove', at(200, 100));
  expect(moved()).toEqual([31, -9, 1]);
});

test('a press tells the point under it, and a drag or a press that was taken away does not', () => {
  const pressed: unknown[] = [];
  const { send, at, scale } = followed({ onPress: (point) => pressed.push(point) });
  send('pointerdown', at(100, 150));
  send('pointermove', at(103, 154));
  send('pointerup', at(103, 154));
  expect(pressed).toEqual([{ x: -50 / scale, y: 100 / scale }]);
  send('pointerdown', at(100, 150));
  send('pointercancel', at(100, 150));
  send('pointerdown', at(100, 150));
  send('pointermove', at(120, 150));
  send('pointerup', at(120, 150));
  send('pointerdown', { ...at(100, 150), button: 2 });
  send('pointerup', at(100, 150));
  expect(pressed).toHaveLength(1);
});

test('two fingers zoom by their distance, about the one that rests, and make no press', () => {
  const pressed: unknown[] = [];
  const { send, at, moved, plan } = followed({ onPress: (point) => pressed.push(point) });
  send('pointerdown', { ...at(200, 100), pointerId: 1 });
  send('pointerdown', { ...at(250, 100), pointerId: 2 });
  send('pointermove', { ...at(300, 100), pointerId: 2 });
  expect(moved()).toEqual([0, 0, 2]);
  send('pointerup', { ...at(300, 100), pointerId: 2 });
  send('pointerup', { ...at(200, 100), pointerId: 1 });
  expect(pressed).toEqual([]);
  expect(plan.viewport.value.scale).toBeGreaterThan(0);
});

test('the wheel zooms about the pointer, a pinch on a touchpad faster, and lines count as 16 pixels', () => {
  const { send, at, moved } = followed();
  const factorOf = (given: object) => {
    const before = moved()[2] ?? 1;
    expect(send('wheel', { ...at(200, 100), ...given }).defaultPrevented).toBe(true);
    return (moved()[2] ?? 1) / before;
  };
  expect(factorOf({ deltaY: -100 })).toBeCloseTo(Math.exp(0.15));
  expect(factorOf({ deltaY: 100 })).toBeCloseTo(Math.exp(-0.15));
  expect(factorOf({ deltaY: -10, ctrlKey: true })).toBeCloseTo(Math.exp(0.1));
  expect(factorOf({ deltaY: 3, deltaMode: 1 })).toBeCloseTo(Math.exp(-48 * 0.0015));
  expect(factorOf({ deltaY: 1, deltaMode: 2 })).toBeCloseTo(Math.exp(-240 * 0.0015));
});

test.each([
  ['ArrowLeft', [60, 0, 1]],
  ['ArrowRight', [-60, 0, 1]],
  ['ArrowUp', [0, 60, 1]],
  ['ArrowDown', [0, -60, 1]],
  ['+', [0, 0, 1.25]],
  ['=', [0, 0, 1.25]],
  ['-', [0, 0, 0.8]],
])('the key %s moves the plan, or zooms, and the middle of the view is the pointer', (key, expected) => {
  const { send, moved, plan } = followed();
  expect(send('keydown', { key }).defaultPrevented).toBe(true);
  expect(moved()).toEqual(expected);
  expect(plan.isKeyed.value).toBe(true);
  send('blur');
  expect(plan.pointer.value).toBeUndefined();
});

test('other keys, keys with Ctrl, and keys of what lies on the plan do nothing', () => {
  const { send, moved } = followed();
  const given = [
    { key: 'x' },
    { key: '+', ctrlKey: true },
    { key: '+', metaKey: true },
    { key: '+', altKey: true },
  ];
  for (const one of given) expect(send('keydown', one).defaultPrevented).toBe(false);
  expect(send('keydown', { key: '+', target: new EventTarget() }).defaultPrevented).toBe(false);
  expect(moved()).toEqual([0, 0, 1]);
});

test('arrow keys step through beams first, by ten with shift, and Enter tells the middle', () => {
  const steps: number[] = [];
  const entered: unknown[] = [];
  const { send, moved } = followed({
    onStep: (by) => steps.push(by) < 3,
    onEnter: (point) => void entered.push(point),
  });
  send('keydown', { key: 'ArrowLeft' });
  send('keydown', { key: 'ArrowRight', shiftKey: true });
  expect(moved()).toEqual([0, 0, 1]);
  send('keydown', { key: 'ArrowLeft' });
  expect([steps, moved()]).toEqual([
    [1, -10, 1],
    [60, 0, 1],
  ]);
  send('keydown', { key: 'Enter' });
  expect(entered).toHaveLength(1);
});

test('the plan knows where the pointer is, until a mouse leaves it', () => {
  const { send, at, plan, scale } = followed();
  send('pointermove', at(200, 50));
  expect(plan.pointer.value).toEqual({ x: 50 / scale, y: 0 });
  send('pointerleave', { pointerType: 'touch' });
  expect(plan.pointer.value).toBeDefined();
  send('pointerleave', { pointerType: 'mouse' });
  expect(plan.pointer.value).toBeUndefined();
  send('focus');
  expect([plan.pointer.value, plan.isKeyed.value]).toEqual([{ x: 0, y: 0 }, true]);
});

test('what was followed takes the keys, and no more after the end', () => {
  const { element, send, moved, stop } = followed();
  expect(element.tabIndex).toBe(0);
  stop();
  send('keydown', { key: '+' });
  send('wheel', { deltaY: 100 });
  expect(moved()).toEqual([0, 0, 1]);
});
