import { detectionHistory, extensions, fieldEvaluation, inputsAndOutputs, status } from '@azimuth/model';
import { expect, test } from 'vitest';
import { atService, Bench } from '../../../../tests/support/device-test-bench.js';
import { missingOf } from '../../src/reference/not-built.js';
import { evaluation, group } from './field-bench.js';
import { arc, nothing, ScriptedCore } from './scripted-core.js';

const { fields, history } = extensions.members;
const { FieldEvaluationResult, EvaluationGroupType } = fieldEvaluation.members;

async function scanner() {
  const core = new ScriptedCore();
  const bench = await Bench.open({ core });
  const define = (evaluations: readonly unknown[], groups: readonly unknown[]) =>
    bench.device.write(fields, { evaluations, groups }, atService);
  const stateOf = (id: number) =>
    bench.device.read(FieldEvaluationResult).EvaluationResultList[id - 1]?.State;
  return { bench, core, define, stateOf };
}

test('fields are defined, saved, and evaluated again after a reboot, which the history outlives', async () => {
  const { bench, core, define, stateOf } = await scanner();
  expect(() => define([{ Id: 1 }], [group(1, [2])])).toThrow('there is no evaluation 2');
  define([evaluation({ Id: 1, Name: 'door' })], [group(1, [1])]);
  await bench.respond('WriteEeprom');
  core.sight = arc(0, 0, 1500);
  bench.clock.advance(1000);
  expect(stateOf(1)).toBe(4);
  const before = bench.device.read(history);
  expect(before).toHaveLength(1);
  core.sight = nothing;
  await bench.reboot();
  expect(stateOf(1)).toBe(2);
  expect(bench.device.read(history)).toEqual(before);
  await bench.respond('ResetDetectionHistory');
  expect(bench.device.read(history)).toEqual([]);
});

test('telegrams are forgotten at a reboot, teach-in ends with it', async () => {
  const { bench, core, define, stateOf } = await scanner();
  define([evaluation({ Id: 1 })], [group(1, [1], { Type: 3 })]);
  await bench.respond('WriteEeprom');
  expect(await bench.respond('ActivateEvaluationGroup', { List: [{ GroupId: 1, Activate: true }] })).toEqual({
    Success: [true],
  });
  expect(stateOf(1)).toBe(2);
  await bench.respond('StartTeachIn');
  await bench.reboot();
  expect(stateOf(1)).toBe(1);
  const { computed } = core;
  bench.clock.advance(1000);
  expect(core.computed).toBe(computed);
});

test('an output that combines two fields counts no state in between', async () => {
  const { bench, core, define } = await scanner();
  const { PortConfiguration, PortState } = inputsAndOutputs.members;
  const ports = bench.device.read(PortConfiguration).map((port, index) =>
    index === 1
      ? {
          ...port,
          PortType: 1,
          OutputSettings: {
            ...port.OutputSettings,
            Combination: 2,
            Sources: [
              { Name: 'FE01', Invert: false, Reserved5: 0, Reserved6: 0 },
              { Name: 'FE02', Invert: false, Reserved5: 0, Reserved6: 0 },
            ],
          },
        }
      : port,
  );
  bench.device.write(PortConfiguration, ports, atService);
  define([evaluation({ Id: 1 }), evaluation({ Id: 2 })], [group(1, [1, 2])]);
  for (let time = 0; time < 3; time++) {
    core.sight = arc(0, 0, 1500);
    bench.clock.advance(500);
    core.sight = nothing;
    bench.clock.advance(500);
  }
  expect(bench.device.read(history)).toHaveLength(6);
  expect(JSON.stringify(bench.device.read(PortState))).toContain('"PortCounter":0');
  expect(JSON.stringify(bench.device.read(PortState))).not.toMatch(/"PortCounter":[1-9]/);
});

test('contours are told and set, with an ErrorCode', async () => {
  const { bench, define } = await scanner();
  define([evaluation({ Id: 1 })], []);
  const Points = [
    { x: 0, y: 0 },
    { x: 9, y: 0 },
    { x: 0, y: 9 },
  ];
  const contour = { EvaluationId: 1, Points, LowerZLimit: 0, UpperZLimit: 5 };
  expect(await bench.respond('SetFieldEvaluationContour', contour)).toEqual({ ErrorCode: 0 });
  expect(await bench.respond('GetFieldEvaluationContour', { EvaluationId: 1 })).toEqual({
    Contour: [contour],
  });
  expect(await bench.respond('SetFieldEvaluationContour', { ...contour, EvaluationId: 2 })).toEqual({
    ErrorCode: 1,
  });
});

test('with more than 20 active fields the scanner is not ready, and says so', async () => {
  const { bench, define } = await scanner();
  const ids = Array.from({ length: 21 }, (_, index) => index + 1);
  define(
    ids.map((Id) => evaluation({ Id })),
    [group(1, ids)],
  );
  expect(bench.device.read(status.members.DeviceStatus)).toBe(7);
  expect(bench.device.read(status.members.SCdevicestate)).toBe(2);
  define([], []);
  expect(bench.device.read(status.members.DeviceStatus)).toBe(3);
});

test('nothing of fields is left unbuilt or without an effect', async () => {
  const { bench } = await scanner();
  const { unbuilt, withoutEffect } = missingOf(bench.device);
  const names = [...unbuilt, ...withoutEffect].map(({ name }) => name);
  for (const { name } of [
    ...Object.values(fieldEvaluation.members),
    ...Object.values(detectionHistory.members),
    fields,
    history,
  ]) {
    expect(names).not.toContain(name);
  }
  expect(bench.device.read(EvaluationGroupType)).toHaveLength(48);
});
