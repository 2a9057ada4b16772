import {
  extensions,
  fieldEvaluation,
  inputsAndOutputs,
  PortType,
  SourceCombination,
  status,
} from '@azimuth/model';
import { configuration } from '@azimuth/test-support/port-configuration';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { evaluation, group } from './field-test-device.js';
import { arc, nothing, ScriptedCore } from './scripted-core.js';

const { fields, history } = extensions.members;
const { FieldEvaluationResult } = fieldEvaluation.members;

async function scanner() {
  const core = new ScriptedCore();
  const testDevice = await TestDevice.open({ core });
  const define = (evaluations: readonly unknown[], groups: readonly unknown[]) =>
    testDevice.device.write(fields, { evaluations, groups }, atService);
  const stateOf = (id: number) =>
    testDevice.device.read(FieldEvaluationResult).EvaluationResultList[id - 1]?.State;
  return { testDevice, core, define, stateOf };
}

test('fields are defined, saved, and evaluated again after a reboot, which the history outlives', async () => {
  const { testDevice, core, define, stateOf } = await scanner();
  expect(() => define([{ Id: 1 }], [group(1, [2])])).toThrow('there is no evaluation 2');
  define([evaluation({ Id: 1, Name: 'door' })], [group(1, [1])]);
  await testDevice.respond('WriteEeprom');
  core.sight = arc(0, 0, 1500);
  testDevice.clock.advance(1000);
  expect(stateOf(1)).toBe(4);
  const before = testDevice.device.read(history);
  expect(before).toHaveLength(1);
  core.sight = nothing;
  await testDevice.reboot();
  expect(stateOf(1)).toBe(2);
  expect(testDevice.device.read(history)).toEqual(before);
  await testDevice.respond('ResetDetectionHistory');
  expect(testDevice.device.read(history)).toEqual([]);
});

test('telegrams are forgotten at a reboot, teach-in ends with it', async () => {
  const { testDevice, core, define, stateOf } = await scanner();
  define([evaluation({ Id: 1 })], [group(1, [1], { Type: 3 })]);
  await testDevice.respond('WriteEeprom');
  expect(
    await testDevice.respond('ActivateEvaluationGroup', { List: [{ GroupId: 1, Activate: true }] }),
  ).toEqual({
    Success: [true],
  });
  expect(stateOf(1)).toBe(2);
  await testDevice.respond('StartTeachIn');
  await testDevice.reboot();
  expect(stateOf(1)).toBe(1);
  const { computed } = core;
  testDevice.clock.advance(1000);
  expect(core.computed).toBe(computed);
});

test('teach-in that is stopped right after its start uses the first scan', async () => {
  const { testDevice, core } = await scanner();
  core.sight = arc(-90, 90, 3000);
  await testDevice.respond('StartTeachIn');
  const stopped = testDevice.respond('StopTeachIn');
  testDevice.clock.advance(1000);
  expect(await stopped).toEqual({});
  expect(testDevice.device.read(fields).evaluations).toMatchObject([{ Name: 'TeachIn' }]);
});

test.each(['mStopMeasure', 'mStandby'] as const)('teach-in waits for no scan after %s', async (name) => {
  const { testDevice, core } = await scanner();
  core.sight = arc(-90, 90, 3000);
  await testDevice.respond(name);
  await testDevice.respond('StartTeachIn');
  await expect(testDevice.respond('StopTeachIn')).rejects.toThrow('nothing was seen');
  expect(await testDevice.respond('StopTeachIn')).toEqual({});
});

test('teach-in does not wait for ever for a scan that does not come', async () => {
  const { testDevice } = await scanner();
  await testDevice.respond('StartTeachIn');
  const stopped = testDevice.respond('StopTeachIn');
  await testDevice.respond('mStopMeasure');
  testDevice.clock.advance(1000);
  await expect(stopped).rejects.toThrow('nothing was seen');
});

test('an output that combines two fields counts no state in between', async () => {
  const { testDevice, core, define } = await scanner();
  const { PortConfiguration, PortState } = inputsAndOutputs.members;
  const ports = configuration({
    4: {
      PortType: PortType.OUTPUT,
      OutputSettings: { Combination: SourceCombination.XOR },
      Sources: ['FE01', 'FE02'],
    },
  });
  testDevice.device.write(PortConfiguration, ports, atService);
  define([evaluation({ Id: 1 }), evaluation({ Id: 2 })], [group(1, [1, 2])]);
  for (let time = 0; time < 3; time++) {
    core.sight = arc(0, 0, 1500);
    testDevice.clock.advance(500);
    core.sight = nothing;
    testDevice.clock.advance(500);
  }
  expect(testDevice.device.read(history)).toHaveLength(6);
  expect(JSON.stringify(testDevice.device.read(PortState))).toContain('"PortCounter":0');
  expect(JSON.stringify(testDevice.device.read(PortState))).not.toMatch(/"PortCounter":[1-9]/);
});

test('contours are read and set, with an ErrorCode', async () => {
  const { testDevice, define } = await scanner();
  define([evaluation({ Id: 1 })], []);
  const Points = [
    { x: 0, y: 0 },
    { x: 9, y: 0 },
    { x: 0, y: 9 },
  ];
  const contour = { EvaluationId: 1, Points, LowerZLimit: 0, UpperZLimit: 0 };
  expect(await testDevice.respond('SetFieldEvaluationContour', contour)).toEqual({ ErrorCode: 0 });
  expect(await testDevice.respond('GetFieldEvaluationContour', { EvaluationId: 1 })).toEqual({
    Contour: [contour],
  });
  expect(await testDevice.respond('SetFieldEvaluationContour', { ...contour, EvaluationId: 2 })).toEqual({
    ErrorCode: 1,
  });
});

test('with more than 20 active fields the scanner is not ready, and DeviceStatus shows it', async () => {
  const { testDevice, define } = await scanner();
  const ids = Array.from({ length: 21 }, (_, index) => index + 1);
  define(
    ids.map((Id) => evaluation({ Id })),
    [group(1, ids)],
  );
  expect(testDevice.device.read(status.members.DeviceStatus)).toBe(7);
  expect(testDevice.device.read(status.members.SCdevicestate)).toBe(2);
  define([], []);
  expect(testDevice.device.read(status.members.DeviceStatus)).toBe(3);
});
