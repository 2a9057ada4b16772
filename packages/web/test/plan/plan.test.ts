import { expect, test } from 'vitest';
import { Plan, visibleBounds } from '../../src/plan/plan.js';

const room = { minX: 0, maxX: 40, minY: -20, maxY: 20 };

test('what is suggested is shown, also after the view has got its size', () => {
  const plan = new Plan();
  plan.suggest(room);
  plan.resize(800, 600);
  expect(visibleBounds(plan.viewport.value).maxX).toBeGreaterThan(room.maxX);
});

test('once somebody has moved the plan, suggestions and sizes leave it where it is', () => {
  const plan = new Plan();
  plan.resize(800, 600);
  plan.pan(100, 0);
  const { x, y, scale } = plan.viewport.value;
  plan.suggest(room);
  plan.resize(400, 300);
  expect(plan.viewport.value).toEqual({ x, y, scale, width: 400, height: 300 });
});

test('the pointer is known in metres, until it leaves', () => {
  const plan = new Plan();
  plan.resize(800, 600);
  plan.pointAt({ left: 400, top: 300 });
  expect(plan.pointer.value).toEqual({ x: 0, y: 0 });
  plan.pointAt(undefined);
  expect(plan.pointer.value).toBeUndefined();
});
