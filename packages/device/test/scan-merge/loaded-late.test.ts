import { measurementDataOutput } from '@azimuth/model';
import { expect, test } from 'vitest';
import { atService, Bench } from '../../../../tests/support/device-bench.js';
import { settled } from '../../../../tests/support/gate.js';
import { recorderPartsLater } from '../../src/scan-merge/recorder-parts-later.js';
import { ScriptedCore } from './scripted-core.js';

const { ScanMergerEnabled } = measurementDataOutput.members;

// Nothing is loaded twice in a process: what is not there yet can be seen once only.
test('a recording begins when its parts are loaded, unless it was ended meanwhile', async () => {
  const { device } = await Bench.open({ core: async () => new ScriptedCore() });
  const other = await Bench.open({ core: async () => new ScriptedCore() });
  for (const one of [device, other.device]) {
    one.write(ScanMergerEnabled, true, atService);
    one.scanMerge.start();
  }
  other.device.scanMerge.stop();
  expect(recorderPartsLater.part).toBeUndefined();
  expect([device.scanMerge.recording, other.device.scanMerge.recording]).toEqual([false, false]);
  await device.scanMerge.ready();
  await settled();
  expect([device.scanMerge.recording, other.device.scanMerge.recording]).toEqual([true, false]);
});
