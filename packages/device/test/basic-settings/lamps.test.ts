import { basicSettings, LEDColor, LEDFunction, performanceProfiles } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';

const { LEDEnable, LEDState, PerformanceProfileNumber, ScanConfig } = basicSettings.members;

const lamp = (bench: Bench, id: string) => bench.device.read(LEDState).find(({ Id }) => Id === id);
const off = { Function: LEDFunction.OFF };

describe('the lamps', () => {
  test('tell the state of the device', async () => {
    const bench = await Bench.open();
    const { conditions } = bench.device;
    expect(lamp(bench, 'STATE')).toMatchObject({ Color: LEDColor.GREEN, Function: LEDFunction.ON });
    conditions.set('DS_ServiceRecommended', 'test', true);
    expect(lamp(bench, 'STATE')).toMatchObject({ Color: LEDColor.YELLOW, Function: LEDFunction.BLINKING });
    conditions.set('DS_ServiceRequired', 'test', true);
    expect(lamp(bench, 'STATE')).toMatchObject({ Color: LEDColor.RED, Function: LEDFunction.BLINKING });
    conditions.set('DS_RecoverableError', 'test', true);
    expect(lamp(bench, 'STATE')).toMatchObject({ Color: LEDColor.RED, Function: LEDFunction.ON });
  });

  test('go dark with LEDEnable, and announce nothing that is not so', async () => {
    const bench = await Bench.open();
    bench.device.parameters.change((change) => change.set(LEDEnable, false));
    expect(lamp(bench, 'STATE')).toMatchObject(off);
  });

  test('blink for as many seconds as FindMe says, also when they are dark', async () => {
    const bench = await Bench.open();
    bench.device.parameters.change((change) => change.set(LEDEnable, false));
    await bench.respond('FindMe', { uiDuration: 10 });
    expect(lamp(bench, 'FIND')).toMatchObject({ Function: LEDFunction.BLINKING_FAST });
    bench.clock.advance(9999);
    expect(lamp(bench, 'FIND')).toMatchObject({ Function: LEDFunction.BLINKING_FAST });
    bench.clock.advance(1);
    expect(lamp(bench, 'FIND')).toMatchObject(off);
  });

  test('count from the last FindMe, and stop at once with 0', async () => {
    const bench = await Bench.open();
    await bench.respond('FindMe', { uiDuration: 10 });
    bench.clock.advance(6000);
    await bench.respond('FindMe', { uiDuration: 10 });
    bench.clock.advance(6000);
    expect(lamp(bench, 'FIND')).toMatchObject({ Function: LEDFunction.BLINKING_FAST });
    await bench.respond('FindMe', { uiDuration: 0 });
    expect(lamp(bench, 'FIND')).toMatchObject(off);
  });

  test('announce each change', async () => {
    const bench = await Bench.open();
    let announced = 0;
    bench.device.announcements.subscribe((changed) => {
      if (changed.includes(LEDState)) announced++;
    });
    await bench.respond('FindMe', { uiDuration: 1 });
    bench.clock.advance(1000);
    bench.device.conditions.set('DS_ServiceRecommended', 'test', true);
    bench.device.parameters.change((change) => change.set(LEDEnable, false));
    expect(announced).toBe(4);
  });

  test('have forgotten FindMe after a reboot', async () => {
    const bench = await Bench.open();
    await bench.respond('FindMe', { uiDuration: 600 });
    await bench.reboot();
    expect(lamp(bench, 'FIND')).toMatchObject(off);
  });
});

describe('ScanConfig', () => {
  test('follows the performance profile', async () => {
    const { device } = await Bench.open();
    for (const [number, { frequency, resolution }] of Object.entries(performanceProfiles)) {
      const profile = PerformanceProfileNumber.type.fromJson(Number(number), '');
      device.parameters.change((change) => change.set(PerformanceProfileNumber, profile));
      const value = device.read(ScanConfig);
      expect(value.udiScanFreq).toBe(frequency);
      expect(value.ScanRange.aRange).toEqual([
        { udiAngleRes: resolution, diStartAngle: -1_380_000, diStopAngle: 1_380_000 },
      ]);
      expect(ScanConfig.type.fromJson(value, '')).toEqual(value);
    }
  });

  test('announces itself with the profile', async () => {
    const { device } = await Bench.open();
    let announced = 0;
    device.announcements.subscribe((changed) => {
      if (changed.includes(ScanConfig)) announced++;
    });
    device.parameters.change((change) => change.set(PerformanceProfileNumber, 8));
    expect(announced).toBe(1);
  });
});
