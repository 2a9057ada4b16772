import { basicSettings, LampId, LEDColor, LEDFunction, performanceProfiles } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';

const { LEDEnable, LEDState, PerformanceProfileNumber, ScanConfig } = basicSettings.members;

const lamp = (testDevice: TestDevice, id: string) =>
  testDevice.device.read(LEDState).find(({ Id }) => Id === id);
const off = { Function: LEDFunction.OFF };

describe('the lamps', () => {
  test('are called LED2, which shows the state, and LED1, which helps to find the device', async () => {
    const { device } = await TestDevice.open();
    expect(device.read(LEDState)).toEqual([
      { Color: LEDColor.GREEN, Function: LEDFunction.ON, Id: 'LED2' },
      { Color: LEDColor.YELLOW, Function: LEDFunction.OFF, Id: 'LED1' },
    ]);
  });

  test('show the state of the device', async () => {
    const testDevice = await TestDevice.open();
    const { conditions } = testDevice.context;
    expect(lamp(testDevice, LampId.STATE)).toMatchObject({ Color: LEDColor.GREEN, Function: LEDFunction.ON });
    conditions.set('DS_ServiceRecommended', 'test', true);
    expect(lamp(testDevice, LampId.STATE)).toMatchObject({
      Color: LEDColor.YELLOW,
      Function: LEDFunction.BLINKING,
    });
    conditions.set('DS_ServiceRequired', 'test', true);
    expect(lamp(testDevice, LampId.STATE)).toMatchObject({
      Color: LEDColor.RED,
      Function: LEDFunction.BLINKING,
    });
    conditions.set('DS_RecoverableError', 'test', true);
    expect(lamp(testDevice, LampId.STATE)).toMatchObject({ Color: LEDColor.RED, Function: LEDFunction.ON });
  });

  test('go dark with LEDEnable, and announce nothing that is not so', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.parameters.change((change) => change.set(LEDEnable, false));
    expect(lamp(testDevice, LampId.STATE)).toMatchObject(off);
  });

  test('blink for the seconds of FindMe, also when they are off', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.parameters.change((change) => change.set(LEDEnable, false));
    await testDevice.respond('FindMe', { uiDuration: 10 });
    expect(lamp(testDevice, LampId.FIND)).toMatchObject({ Function: LEDFunction.BLINKING_COLOR });
    testDevice.clock.advance(9999);
    expect(lamp(testDevice, LampId.FIND)).toMatchObject({ Function: LEDFunction.BLINKING_COLOR });
    testDevice.clock.advance(1);
    expect(lamp(testDevice, LampId.FIND)).toMatchObject(off);
  });

  test('count from the last FindMe, which takes 1 s at least', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('FindMe', { uiDuration: 10 });
    testDevice.clock.advance(6000);
    await testDevice.respond('FindMe', { uiDuration: 10 });
    testDevice.clock.advance(6000);
    expect(lamp(testDevice, LampId.FIND)).toMatchObject({ Function: LEDFunction.BLINKING_COLOR });
    await expect(testDevice.respond('FindMe', { uiDuration: 0 })).rejects.toThrow(
      'expected 1 to 65535, got 0',
    );
    expect(lamp(testDevice, LampId.FIND)).toMatchObject({ Function: LEDFunction.BLINKING_COLOR });
    testDevice.clock.advance(4000);
    expect(lamp(testDevice, LampId.FIND)).toMatchObject(off);
  });

  test('announce each change', async () => {
    const testDevice = await TestDevice.open();
    let announced = 0;
    testDevice.device.announcements.subscribe((changed) => {
      if (changed.includes(LEDState)) announced++;
    });
    await testDevice.respond('FindMe', { uiDuration: 1 });
    testDevice.clock.advance(1000);
    testDevice.device.features.deviceStatus.conditions.set('DS_ServiceRecommended', 'test', true);
    testDevice.device.parameters.change((change) => change.set(LEDEnable, false));
    expect(announced).toBe(4);
  });

  test('have forgotten FindMe after a reboot', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('FindMe', { uiDuration: 600 });
    await testDevice.reboot();
    expect(lamp(testDevice, LampId.FIND)).toMatchObject(off);
  });
});

describe('ScanConfig', () => {
  test('follows the performance profile', async () => {
    const { device } = await TestDevice.open();
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
    const { device } = await TestDevice.open();
    let announced = 0;
    device.announcements.subscribe((changed) => {
      if (changed.includes(ScanConfig)) announced++;
    });
    device.parameters.change((change) => change.set(PerformanceProfileNumber, 8));
    expect(announced).toBe(1);
  });
});
