import { DeviceStatus, FieldState, GroupActivation } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { evaluation, FieldTestDevice, group } from './field-test-device.js';

const { INACTIVE, FREE } = FieldState;
const { DEACTIVATED, ALWAYS, INPUTS, TELEGRAM } = GroupActivation;
const [notConfigured, active, inactive] = [0, 1, 2];

describe('a group', () => {
  test('that is deactivated activates nothing, one that is always active does', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define(
      [evaluation({ Id: 1 }), evaluation({ Id: 2 }), evaluation({ Id: 3 })],
      [group(1, [1], { Type: DEACTIVATED }), group(2, [2], { Type: ALWAYS })],
    );
    expect([1, 2, 3].map((id) => testDevice.fields.stateOf(id))).toEqual([INACTIVE, FREE, INACTIVE]);
    expect(testDevice.fields.groupStates.slice(0, 3)).toEqual([inactive, active, notConfigured]);
    expect(testDevice.fields.groupStates).toHaveLength(48);
  });

  test('without an Activation is always active', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define([evaluation({ Id: 1 })], [{ Id: 1, Evaluations: [1] }]);
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
  });

  test('has the type of its evaluations', () => {
    const testDevice = new FieldTestDevice();
    const line = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
    ];
    testDevice.define(
      [evaluation({ Id: 1 }), evaluation({ Id: 2, Type: 1, ReferenceLine: line })],
      [group(3, [2]), group(4, [1]), group(5, [])],
    );
    expect(testDevice.fields.groupTypes.slice(0, 6)).toEqual([0, 0, 1, 0, 0, 0]);
    expect(testDevice.fields.groupTypes).toHaveLength(48);
  });

  test('an evaluation in two groups is active while one of them is', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define(
      [evaluation({ Id: 1 })],
      [group(1, [1], { Type: TELEGRAM }), group(2, [1], { Type: TELEGRAM })],
    );
    const reported: number[] = [];
    for (const [GroupId, Activate] of [
      [1, true],
      [2, true],
      [1, false],
      [2, false],
    ] as const) {
      testDevice.fields.activate([{ GroupId, Activate }]);
      reported.push(testDevice.fields.stateOf(1));
    }
    expect(reported).toEqual([FREE, FREE, FREE, INACTIVE]);
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
    const testDevice = new FieldTestDevice();
    for (const port of ports) testDevice.inputs.add(port);
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1], { Type: INPUTS, Inputs: conditions })]);
    expect(testDevice.fields.groupStates[0]).toBe(isActive ? active : inactive);
    expect(testDevice.fields.stateOf(1)).toBe(isActive ? FREE : INACTIVE);
  });

  test('that change switch a group at once, and announce it', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1], { Type: INPUTS, Inputs: conditions })]);
    testDevice.announced.length = 0;
    testDevice.inputs.add(1).add(8);
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
    testDevice.inputsChanged();
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
    expect(testDevice.announced).toEqual([
      [0, 'FieldEvaluationResult'],
      [0, 'FieldEvaluationGroupState'],
    ]);
    testDevice.inputs.add(3);
    testDevice.inputsChanged();
    expect(testDevice.announced).toHaveLength(2);
  });

  test('are ignored if a group names none', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1], { Type: INPUTS })]);
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
  });
});

describe('telegrams', () => {
  function switched(InitiallyActive = false) {
    const testDevice = new FieldTestDevice();
    const groups = [
      group(1, [1], { Type: TELEGRAM, InitiallyActive }),
      group(2, [1], { Type: DEACTIVATED }),
      group(3, [], { Type: ALWAYS }),
      group(4, [], { Type: INPUTS }),
    ];
    testDevice.define([evaluation({ Id: 1 })], groups);
    return { testDevice, groups };
  }

  test('switch groups that are configured for them, and no other', () => {
    const { testDevice } = switched();
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
    const on = [1, 2, 3, 4, 5, 48].map((GroupId) => ({ GroupId, Activate: true }));
    expect(testDevice.fields.activate(on)).toEqual([true, false, false, false, false, false]);
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
    expect(testDevice.fields.activate([{ GroupId: 1, Activate: false }])).toEqual([true]);
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
    expect(testDevice.fields.activate([])).toEqual([]);
  });

  test('come by ActivateEvaluationGroup', () => {
    const { testDevice } = switched();
    const act = testDevice.fields.methods.find(({ method }) => method.name === 'ActivateEvaluationGroup');
    const call = { caller: { level: 'Service' }, log: testDevice.log, afterwards: () => undefined } as const;
    const List = [
      { GroupId: 2, Activate: true },
      { GroupId: 1, Activate: true },
    ];
    expect(act?.perform({ List }, call)).toEqual({ Success: [false, true] });
    expect(testDevice.fields.groupStates[0]).toBe(active);
  });

  test('are forgotten at a boot', () => {
    for (const InitiallyActive of [false, true]) {
      const { testDevice } = switched(InitiallyActive);
      expect(testDevice.fields.groupStates[0]).toBe(InitiallyActive ? active : inactive);
      testDevice.fields.activate([{ GroupId: 1, Activate: !InitiallyActive }]);
      expect(testDevice.fields.groupStates[0]).toBe(InitiallyActive ? inactive : active);
      testDevice.fields.down();
      testDevice.fields.boot();
      expect(testDevice.fields.groupStates[0]).toBe(InitiallyActive ? active : inactive);
    }
  });

  test('hold over other definitions, as long as they switch the group', () => {
    const { testDevice, groups } = switched();
    testDevice.fields.activate([{ GroupId: 1, Activate: true }]);
    testDevice.define([evaluation({ Id: 1, Name: 'other' })], groups);
    expect(testDevice.fields.groupStates[0]).toBe(active);
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1], { Type: DEACTIVATED })]);
    testDevice.define([evaluation({ Id: 1 })], groups);
    expect(testDevice.fields.groupStates[0]).toBe(inactive);
  });
});

describe('more than 20 active evaluations', () => {
  function many(count: number) {
    const testDevice = new FieldTestDevice();
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    testDevice.define(
      ids.map((Id) => evaluation({ Id })),
      [group(1, ids.slice(0, 20)), group(2, ids.slice(20), { Type: TELEGRAM })],
    );
    const statesOf = () => [...new Set(ids.map((id) => testDevice.fields.stateOf(id)))];
    return { testDevice, statesOf };
  }

  test('stop all of them, and the scanner is not ready, until there are 20 or fewer', () => {
    const { testDevice, statesOf } = many(21);
    testDevice.until(1000);
    const { computed } = testDevice.core;
    expect(testDevice.fields.tooMany).toBe(false);
    expect(statesOf()).toEqual([FREE, INACTIVE]);
    testDevice.fields.activate([{ GroupId: 2, Activate: true }]);
    expect(testDevice.fields.tooMany).toBe(true);
    expect(statesOf()).toEqual([INACTIVE]);
    expect(testDevice.conditions.deviceStatus).toBe(DeviceStatus.DS_RecoverableError);
    expect(testDevice.conditions.inForce).toEqual({ DS_RecoverableError: ['more than 20 active fields'] });
    expect(testDevice.fields.groupStates.slice(0, 2)).toEqual([active, active]);
    testDevice.until(2000);
    expect(testDevice.core.computed).toBe(computed);
    testDevice.fields.activate([{ GroupId: 2, Activate: false }]);
    expect(testDevice.fields.tooMany).toBe(false);
    expect(statesOf()).toEqual([FREE, INACTIVE]);
    expect(testDevice.conditions.deviceStatus).toBe(DeviceStatus.DS_NormalOperation);
  });

  test.each([
    ['1.5.0', false],
    ['2.1.0', true],
  ] as const)('stop all of them from release 2.1.0 on: %s %s', (release, stops) => {
    const testDevice = new FieldTestDevice({ release });
    const ids = Array.from({ length: 21 }, (_, index) => index + 1);
    testDevice.define(
      ids.map((Id) => evaluation({ Id })),
      [group(1, ids)],
    );
    expect(testDevice.fields.tooMany).toBe(stops);
    expect(testDevice.fields.stateOf(21)).toBe(stops ? INACTIVE : FREE);
    expect(testDevice.conditions.deviceStatus).toBe(
      stops ? DeviceStatus.DS_RecoverableError : DeviceStatus.DS_NormalOperation,
    );
  });

  test('20 are not too many', () => {
    const { testDevice, statesOf } = many(20);
    expect(testDevice.fields.tooMany).toBe(false);
    expect(statesOf()).toEqual([FREE]);
  });

  test('those without a contour do not count', () => {
    const testDevice = new FieldTestDevice();
    const ids = Array.from({ length: 21 }, (_, index) => index + 1);
    testDevice.define(
      ids.map((Id) => evaluation(Id === 21 ? { Id, Points: [] } : { Id })),
      [group(1, ids)],
    );
    expect(testDevice.fields.tooMany).toBe(false);
  });
});
