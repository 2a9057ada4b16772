import { DeviceStatus, FieldState, GroupActivation } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { evaluation, FieldBench, group } from './field-bench.js';

const { INACTIVE, FREE } = FieldState;
const { DEACTIVATED, ALWAYS, INPUTS, TELEGRAM } = GroupActivation;
const [notConfigured, active, inactive] = [0, 1, 2];

describe('a group', () => {
  test('that is deactivated activates nothing, one that is always active does', () => {
    const bench = new FieldBench();
    bench.define(
      [evaluation({ Id: 1 }), evaluation({ Id: 2 }), evaluation({ Id: 3 })],
      [group(1, [1], { Type: DEACTIVATED }), group(2, [2], { Type: ALWAYS })],
    );
    expect([1, 2, 3].map((id) => bench.fields.stateOf(id))).toEqual([INACTIVE, FREE, INACTIVE]);
    expect(bench.fields.groupStates.slice(0, 3)).toEqual([inactive, active, notConfigured]);
    expect(bench.fields.groupStates).toHaveLength(48);
  });

  test('without an Activation is always active', () => {
    const bench = new FieldBench();
    bench.define([evaluation({ Id: 1 })], [{ Id: 1, Evaluations: [1] }]);
    expect(bench.fields.stateOf(1)).toBe(FREE);
  });

  test('has the type of its evaluations', () => {
    const bench = new FieldBench();
    const line = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
    ];
    bench.define(
      [evaluation({ Id: 1 }), evaluation({ Id: 2, Type: 1, ReferenceLine: line })],
      [group(3, [2]), group(4, [1]), group(5, [])],
    );
    expect(bench.fields.groupTypes.slice(0, 6)).toEqual([0, 0, 1, 0, 0, 0]);
    expect(bench.fields.groupTypes).toHaveLength(48);
  });

  test('an evaluation in two groups is active while one of them is', () => {
    const bench = new FieldBench();
    bench.define(
      [evaluation({ Id: 1 })],
      [group(1, [1], { Type: TELEGRAM }), group(2, [1], { Type: TELEGRAM })],
    );
    const told: number[] = [];
    for (const [GroupId, Activate] of [
      [1, true],
      [2, true],
      [1, false],
      [2, false],
    ] as const) {
      bench.fields.activate([{ GroupId, Activate }]);
      told.push(bench.fields.stateOf(1));
    }
    expect(told).toEqual([FREE, FREE, FREE, INACTIVE]);
  });
});

describe('inputs', () => {
  // 0 inactive, 1 active, 2 either.
  const conditions = [1, 0, 2, 2, 2, 2, 2, 1] as const;

  test.each([
    [[1, 8], true],
    [[1, 3, 8], true],
    [[1], false],
    [[1, 2, 8], false],
    [[], false],
  ])('with %j active: %s', (ports, isActive) => {
    const bench = new FieldBench();
    for (const port of ports) bench.inputs.add(port);
    bench.define([evaluation({ Id: 1 })], [group(1, [1], { Type: INPUTS, Inputs: conditions })]);
    expect(bench.fields.groupStates[0]).toBe(isActive ? active : inactive);
    expect(bench.fields.stateOf(1)).toBe(isActive ? FREE : INACTIVE);
  });

  test('that change switch a group at once, and tell it', () => {
    const bench = new FieldBench();
    bench.define([evaluation({ Id: 1 })], [group(1, [1], { Type: INPUTS, Inputs: conditions })]);
    bench.announced.length = 0;
    bench.inputs.add(1).add(8);
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
    bench.fields.inputsChanged();
    expect(bench.fields.stateOf(1)).toBe(FREE);
    expect(bench.announced).toEqual([
      [0, 'FieldEvaluationResult'],
      [0, 'FieldEvaluationGroupState'],
    ]);
    bench.inputs.add(3);
    bench.fields.inputsChanged();
    expect(bench.announced).toHaveLength(2);
  });

  test('nobody looks at them where none is named', () => {
    const bench = new FieldBench();
    bench.define([evaluation({ Id: 1 })], [group(1, [1], { Type: INPUTS })]);
    expect(bench.fields.stateOf(1)).toBe(FREE);
  });
});

describe('telegrams', () => {
  function switched(InitiallyActive = false) {
    const bench = new FieldBench();
    const groups = [
      group(1, [1], { Type: TELEGRAM, InitiallyActive }),
      group(2, [1], { Type: DEACTIVATED }),
      group(3, [], { Type: ALWAYS }),
      group(4, [], { Type: INPUTS }),
    ];
    bench.define([evaluation({ Id: 1 })], groups);
    return { bench, groups };
  }

  test('switch groups that are configured for them, and no other', () => {
    const { bench } = switched();
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
    const on = [1, 2, 3, 4, 5, 48].map((GroupId) => ({ GroupId, Activate: true }));
    expect(bench.fields.activate(on)).toEqual([true, false, false, false, false, false]);
    expect(bench.fields.stateOf(1)).toBe(FREE);
    expect(bench.fields.activate([{ GroupId: 1, Activate: false }])).toEqual([true]);
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
    expect(bench.fields.activate([])).toEqual([]);
  });

  test('come by ActivateEvaluationGroup', () => {
    const { bench } = switched();
    const act = bench.fields.methods.find(({ method }) => method.name === 'ActivateEvaluationGroup');
    const call = { caller: { level: 'Service' }, log: bench.log, afterwards: () => undefined } as const;
    const List = [
      { GroupId: 2, Activate: true },
      { GroupId: 1, Activate: true },
    ];
    expect(act?.perform({ List }, call)).toEqual({ Success: [false, true] });
    expect(bench.fields.groupStates[0]).toBe(active);
  });

  test('are forgotten at a boot', () => {
    for (const InitiallyActive of [false, true]) {
      const { bench } = switched(InitiallyActive);
      expect(bench.fields.groupStates[0]).toBe(InitiallyActive ? active : inactive);
      bench.fields.activate([{ GroupId: 1, Activate: !InitiallyActive }]);
      expect(bench.fields.groupStates[0]).toBe(InitiallyActive ? inactive : active);
      bench.fields.down();
      bench.fields.boot();
      expect(bench.fields.groupStates[0]).toBe(InitiallyActive ? active : inactive);
    }
  });

  test('hold over other definitions, as long as they switch the group', () => {
    const { bench, groups } = switched();
    bench.fields.activate([{ GroupId: 1, Activate: true }]);
    bench.define([evaluation({ Id: 1, Name: 'other' })], groups);
    expect(bench.fields.groupStates[0]).toBe(active);
    bench.define([evaluation({ Id: 1 })], [group(1, [1], { Type: DEACTIVATED })]);
    bench.define([evaluation({ Id: 1 })], groups);
    expect(bench.fields.groupStates[0]).toBe(inactive);
  });
});

describe('more than 20 active evaluations', () => {
  function many(count: number) {
    const bench = new FieldBench();
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    bench.define(
      ids.map((Id) => evaluation({ Id })),
      [group(1, ids.slice(0, 20)), group(2, ids.slice(20), { Type: TELEGRAM })],
    );
    const statesOf = () => [...new Set(ids.map((id) => bench.fields.stateOf(id)))];
    return { bench, statesOf };
  }

  test('stop all of them, and the scanner is not ready, until there are 20 or fewer', () => {
    const { bench, statesOf } = many(21);
    bench.until(1000);
    const { computed } = bench.core;
    expect(bench.fields.tooMany).toBe(false);
    expect(statesOf()).toEqual([FREE, INACTIVE]);
    bench.fields.activate([{ GroupId: 2, Activate: true }]);
    expect(bench.fields.tooMany).toBe(true);
    expect(statesOf()).toEqual([INACTIVE]);
    expect(bench.conditions.deviceStatus).toBe(DeviceStatus.DS_RecoverableError);
    expect(bench.conditions.inForce).toEqual({ DS_RecoverableError: ['more than 20 active fields'] });
    expect(bench.fields.groupStates.slice(0, 2)).toEqual([active, active]);
    bench.until(2000);
    expect(bench.core.computed).toBe(computed);
    bench.fields.activate([{ GroupId: 2, Activate: false }]);
    expect(bench.fields.tooMany).toBe(false);
    expect(statesOf()).toEqual([FREE, INACTIVE]);
    expect(bench.conditions.deviceStatus).toBe(DeviceStatus.DS_NormalOperation);
  });

  test('20 are not too many', () => {
    const { bench, statesOf } = many(20);
    expect(bench.fields.tooMany).toBe(false);
    expect(statesOf()).toEqual([FREE]);
  });

  test('those without a contour do not count', () => {
    const bench = new FieldBench();
    const ids = Array.from({ length: 21 }, (_, index) => index + 1);
    bench.define(
      ids.map((Id) => evaluation(Id === 21 ? { Id, Points: [] } : { Id })),
      [group(1, ids)],
    );
    expect(bench.fields.tooMany).toBe(false);
  });
});
