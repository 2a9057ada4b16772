import { rectangle, SceneScanner } from '@azimuth/test-support/scene-scanner';
import { expect, it } from 'vitest';

/** Something stands in the fields all the time. */
const scene = { boxes: [{ center: [2, 0], size: [0.5, 0.5] }] };
const field = (Id: number) => ({ Id, Points: rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 }) });
const state = { INACTIVE: 1, FREE: 2, INFRINGED: 4 } as const;

async function groupStates(scanner: SceneScanner, count: number) {
  const states = await scanner.client.value('FieldEvaluationGroupState');
  return Array.isArray(states) ? states.slice(0, count) : [];
}

it('groups follow inputs after the debounce time of the ports', async () => {
  const scanner = await SceneScanner.start({ scene });
  const always = [2, 2, 2, 2, 2, 2, 2, 2];
  await scanner.define(
    [field(1), field(2), field(3)],
    [
      { Id: 1, Evaluations: [1], Activation: { Type: 2, Inputs: [1, ...always.slice(1)] } },
      { Id: 2, Evaluations: [2], Activation: { Type: 2, Inputs: [0, ...always.slice(1)] } },
      { Id: 3, Evaluations: [3], Activation: { Type: 2, Inputs: [1, 2, 2, 2, 2, 0, 2, 2] } },
    ],
  );
  scanner.pass(500);
  expect(await groupStates(scanner, 4)).toEqual([2, 1, 2, 0]);
  expect(await scanner.states(4)).toEqual([state.INACTIVE, state.INFRINGED, state.INACTIVE, 0]);

  await scanner.drive(1, true);
  scanner.pass(9.9);
  expect(await groupStates(scanner, 3)).toEqual([2, 1, 2]);
  scanner.pass(0.2);
  expect(await groupStates(scanner, 3)).toEqual([1, 2, 1]);
  // Active, and free before the first scan.
  expect(await scanner.states(3)).toEqual([state.FREE, state.INACTIVE, state.FREE]);
  scanner.pass(500);
  expect(await scanner.states(3)).toEqual([state.INFRINGED, state.INACTIVE, state.INFRINGED]);

  await scanner.drive(6, true);
  scanner.pass(11);
  expect(await groupStates(scanner, 3)).toEqual([1, 2, 2]);
  expect(await scanner.states(3)).toEqual([state.INFRINGED, state.INACTIVE, state.INACTIVE]);
});
