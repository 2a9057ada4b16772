import { rectangle, SceneScanner, source } from '@azimuth/test-support/scene-scanner';
import { expect, it } from 'vitest';

/** Something stands in the fields all the time. */
const scene = { boxes: [{ center: [2, 0], size: [0.5, 0.5] }] };
const field = (Id: number) => ({ Id, Points: rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 }) });

const group = { NOT_CONFIGURED: 0, ACTIVE: 1, INACTIVE: 2 } as const;
const state = { INACTIVE: 1, FREE: 2, INFRINGED: 4 } as const;

async function groupStates(scanner: SceneScanner, count: number) {
  const states = await scanner.client.value('FieldEvaluationGroupState');
  return Array.isArray(states) ? states.slice(0, count) : [];
}

async function activate(scanner: SceneScanner, ...list: readonly (readonly [number, boolean])[]) {
  const List = list.map(([GroupId, Activate]) => ({ GroupId, Activate }));
  return scanner.answer('ActivateEvaluationGroup', { List });
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

it('groups follow telegrams if configured so, until the next boot', async () => {
  const scanner = await SceneScanner.start({ scene });
  await scanner.define(
    [field(1), field(2), field(3), field(4)],
    [
      { Id: 1, Evaluations: [1], Activation: { Type: 1 } },
      { Id: 2, Evaluations: [2], Activation: { Type: 3 } },
      { Id: 3, Evaluations: [3], Activation: { Type: 3, InitiallyActive: true } },
      { Id: 48, Evaluations: [4], Activation: { Type: 0 } },
    ],
  );
  await scanner.answer('WriteEeprom');
  expect(await groupStates(scanner, 48)).toEqual([
    ...[group.ACTIVE, group.INACTIVE, group.ACTIVE],
    ...Array(44).fill(group.NOT_CONFIGURED),
    group.INACTIVE,
  ]);
  // Answers for each item whether telegrams switch such a group.
  const said = [1, 2, 3, 4, 48].map((id) => [id, id !== 3] as const);
  expect(await activate(scanner, ...said)).toEqual({ Success: [false, true, true, false, false] });
  expect((await groupStates(scanner, 48)).toSpliced(3, 44)).toEqual([1, 1, 2, 2]);
  scanner.pass(500);
  expect(await scanner.states(4)).toEqual([state.INFRINGED, state.INFRINGED, state.INACTIVE, state.INACTIVE]);
  await scanner.powerCycle();
  expect(await groupStates(scanner, 3)).toEqual([1, 2, 1]);
});

it('with 21 active evaluations none is evaluated and the scanner is not ready, until there are 20 again', async () => {
  const scanner = await SceneScanner.start({ scene });
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  // The 21st is a distance: those count, too. A field without a contour does not.
  const distance = {
    ...field(21),
    Type: 1,
    ReferenceLine: [
      { x: 0, y: 0 },
      { x: 0, y: 1 },
    ],
  };
  await scanner.define(
    [...ids.map(field), distance, { Id: 22 }],
    [
      { Id: 1, Evaluations: [...ids, 22] },
      { Id: 2, Evaluations: [21], Activation: { Type: 3 } },
    ],
  );
  await scanner.configure({
    5: { PortType: 1, OutputSettings: { Sources: [source('DRDY')] } },
    6: { PortType: 1, OutputSettings: { Sources: [source('FE20')] } },
  });
  const whole = async () => ({
    status: await scanner.client.value('DeviceStatus'),
    ready: await scanner.client.value('SCdevicestate'),
    states: await scanner.states(20),
    distances: (await scanner.data('perpendicularDistanceResult')).evaluations,
    outputs: [await scanner.isOn(5), await scanner.isOn(6)],
  });
  scanner.pass(500);
  const twenty = {
    status: 3,
    ready: 1,
    states: Array(20).fill(state.INFRINGED),
    distances: [],
    outputs: [true, true],
  };
  expect(await whole()).toEqual(twenty);

  expect(await activate(scanner, [2, true])).toEqual({ Success: [true] });
  scanner.pass(500);
  expect(await whole()).toEqual({
    status: 7,
    ready: 2,
    states: Array(20).fill(state.INACTIVE),
    distances: [],
    outputs: [false, false],
  });

  await activate(scanner, [2, false]);
  expect(await scanner.states(20)).toEqual(Array(20).fill(state.FREE));
  scanner.pass(500);
  expect(await whole()).toEqual(twenty);
});

it('EvaluationGroupType distinguishes fields from distances', async () => {
  const scanner = await SceneScanner.start();
  const ReferenceLine = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
  ];
  await scanner.define(
    [field(1), { ...field(2), Type: 1, ReferenceLine }],
    [
      { Id: 1, Evaluations: [1] },
      { Id: 3, Evaluations: [2] },
    ],
  );
  expect(await scanner.client.value('EvaluationGroupType')).toEqual([0, 0, 1, ...Array(45).fill(0)]);
});

it('nothing is evaluated while measuring is stopped', async () => {
  const scanner = await SceneScanner.start({ scene });
  await scanner.define([field(1)], [{ Id: 1, Evaluations: [1] }]);
  await scanner.configure({ 6: { PortType: 1, OutputSettings: { Sources: [source('FE01')] } } });
  scanner.pass(500);
  expect(await scanner.states(1)).toEqual([state.INFRINGED]);
  expect(await scanner.isOn(6)).toBe(true);
  await scanner.call('mStopMeasure');
  expect(await scanner.states(1)).toEqual([state.INACTIVE]);
  expect(await scanner.isOn(6)).toBe(false);
  expect(await groupStates(scanner, 1)).toEqual([group.ACTIVE]);
  await scanner.call('mStartMeasure');
  expect(await scanner.states(1)).toEqual([state.FREE]);
  scanner.pass(500);
  expect(await scanner.states(1)).toEqual([state.INFRINGED]);
  expect((await scanner.portStates(6)).outputCount).toBe(2);
});
