import { extensions, fieldEvaluation } from '@azimuth/model';
import { expect, test } from 'vitest';
import { atService, Bench } from '../../../../tests/support/device-bench.js';
import { until } from '../../../../tests/support/until.js';
import { sightLater } from '../../src/field-evaluation/sight-later.js';
import { processingLater } from '../../src/measuring/processing-later.js';
import { recorderPartsLater } from '../../src/scan-merge/recorder-parts-later.js';
import { ScriptedCore } from './scripted-core.js';

const { fields } = extensions.members;
const { FieldEvaluationResult } = fieldEvaluation.members;
const ahead = [
  { x: 1000, y: -1000 },
  { x: 3000, y: -1000 },
  { x: 3000, y: 1000 },
  { x: 1000, y: 1000 },
];
const later = [processingLater, sightLater, recorderPartsLater];

// Nothing is loaded twice in a process: the tests follow each other.
test('a scanner without a core at hand starts with nothing that works on scans; a field has it loaded', async () => {
  const core = new ScriptedCore();
  const { device, clock } = await Bench.open({ core: async () => core });
  expect(later.map(({ part }) => part)).toEqual([undefined, undefined, undefined]);
  const definitions = {
    evaluations: [{ Id: 1, Points: ahead, MinimumObjectSize: 0 }],
    groups: [{ Id: 1, Activation: { Type: 1 }, Evaluations: [1] }],
  };
  device.write(fields, definitions, atService);
  const state = () => device.read(FieldEvaluationResult).EvaluationResultList[0]?.State;
  // It is there from the beginning, with nothing in it.
  expect(state()).toBe(2);
  core.sight = () => [1500];
  await until('the first scan', () => {
    clock.advance(100);
    return core.computed > 0;
  });
  clock.advance(1000);
  expect(state()).toBe(4);
  expect(recorderPartsLater.part).toBeUndefined();
});

test('a scanner that is given its core has all of it', async () => {
  await Bench.open({ core: new ScriptedCore() });
  for (const { part } of later) expect(part).toBeDefined();
});
