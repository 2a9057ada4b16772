import { DeviceStatus, operatingData, status } from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Hardware, Sensor } from '../../src/index.js';

const { CurrentTempDev } = operatingData.members;

/** A board that reports its changes, and counts how often it is read. */
async function board(onChange: Hardware['onChange'] | 'polled' | 'reports' = 'reports') {
  const log = new LogBook();
  const values = { celsius: 20, levels: [false, false], errors: [] as string[] };
  const reads = { temperature: 0, inputs: 0, errors: 0 };
  let report: ((sensor?: Sensor) => void) | undefined;
  let ends = 0;
  const hardware: Hardware = {
    log,
    temperature: () => {
      reads.temperature += 1;
      return values.celsius;
    },
    inputs: () => {
      reads.inputs += 1;
      return values.levels;
    },
    errors: () => {
      reads.errors += 1;
      return values.errors;
    },
  };
  if (onChange === 'reports') {
    hardware.onChange = (changed) => {
      report = changed;
      return () => {
        ends += 1;
      };
    };
  } else if (onChange !== 'polled') hardware.onChange = onChange;
  const testDevice = await TestDevice.open({ hardware });
  const { device, clock } = testDevice;
  return {
    ...{ log, values, reads, testDevice, device, clock },
    ends: () => ends,
    changed: (sensor?: Sensor) => report?.(sensor),
    deviceStatus: () => device.read(status.members.DeviceStatus),
    inForce: () => device.features.deviceStatus.conditions.inForce,
  };
}

describe('hardware that reports its changes', () => {
  test('is read at once, and only the sensor that it names', async () => {
    const { values, reads, device, clock, changed } = await board();
    Object.assign(reads, { temperature: 0, inputs: 0, errors: 0 });
    clock.advance(60_000);
    expect(reads).toEqual({ temperature: 0, inputs: 0, errors: 0 });
    values.levels = [false, true];
    changed('inputs');
    expect(reads).toEqual({ temperature: 0, inputs: 1, errors: 0 });
    expect(device.features.ports.overview.map(({ driven }) => driven).slice(0, 3)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('is read completely if it names no sensor', async () => {
    const { values, device, changed, deviceStatus } = await board();
    const announced: string[] = [];
    device.announcements.subscribe((all) => announced.push(...all.map(({ name }) => name)));
    Object.assign(values, { celsius: 70, levels: [true], errors: ['laser too cold'] });
    changed();
    expect(announced).toContain(CurrentTempDev.name);
    expect(device.features.ports.overview[0]?.driven).toBe(true);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(device.read(status.members.temperatureAlarmStatus)).toBe(true);
  });

  test('is told the end, and may report afterwards', async () => {
    const { reads, device, changed, ends } = await board();
    expect(ends()).toBe(0);
    await device.close();
    expect(ends()).toBe(1);
    reads.temperature = 0;
    changed();
    expect(reads.temperature).toBe(0);
  });

  test('is asked once, also after reboots', async () => {
    let asked = 0;
    const { testDevice } = await board(() => {
      asked += 1;
      return undefined;
    });
    await testDevice.reboot();
    expect(asked).toBe(1);
  });

  test('may report a change while it is asked', async () => {
    const { device } = await board((changed) => {
      changed();
      return undefined;
    });
    expect(device.lifecycle.phase).toBe('up');
  });

  test('may report a change while it is read', async () => {
    const levels = [false, false];
    let report: ((sensor?: Sensor) => void) | undefined;
    const log = new LogBook();
    const { device } = await TestDevice.open({
      hardware: {
        log,
        temperature: () => {
          report?.('temperature');
          return 30;
        },
        inputs: () => {
          report?.();
          return levels;
        },
        onChange: (changed) => {
          report = changed;
          return undefined;
        },
      },
    });
    levels[1] = true;
    report?.('inputs');
    expect(device.features.ports.overview[1]?.driven).toBe(true);
    expect([device.read(CurrentTempDev), log.errors]).toEqual([30, []]);
  });

  test('may fail to end its reports, also later', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    onTestFinished(() => void process.off('unhandledRejection', listener));
    const ends: unknown = () => Promise.reject(new Error('no bus'));
    const hardware: Hardware = {};
    Object.assign(hardware, { onChange: () => ends });
    const { device, log } = await board(hardware.onChange);
    await device.close();
    await promisesSettled();
    expect(unhandled).toEqual([]);
    expect(log.errors.map(({ message }) => message)).toEqual([
      'The hardware cannot end its reports of changes',
    ]);
  });

  test('may name what is no sensor: all are read', async () => {
    const { values, device, testDevice } = await board((changed) => {
      Reflect.apply(changed, undefined, ['temprature']);
      return undefined;
    });
    expect(values.celsius).toBe(20);
    expect([device.lifecycle.phase, testDevice.log.errors]).toEqual(['up', []]);
  });

  test('is polled while a sensor fails, and only that one', async () => {
    const { values, reads, clock, changed, deviceStatus, device } = await board();
    values.celsius = Number.NaN;
    changed('temperature');
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    Object.assign(reads, { temperature: 0, inputs: 0, errors: 0 });
    clock.advance(5000);
    expect(reads.temperature).toBeGreaterThanOrEqual(5);
    expect([reads.inputs, reads.errors]).toEqual([0, 0]);
    values.celsius = 70;
    clock.advance(1000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    expect(device.read(status.members.temperatureAlarmStatus)).toBe(true);
    reads.temperature = 0;
    clock.advance(60_000);
    expect(reads.temperature).toBe(0);
  });
});

describe('reports that cannot begin', () => {
  test.each<[string, unknown]>([
    ['reject', () => Promise.reject(new Error('no bus'))],
    ['never begin', () => new Promise(() => undefined)],
    [
      'throw',
      () => {
        throw new Error('no bus');
      },
    ],
    ['return a word', () => 'off'],
    ['are no function', 7],
  ])('because they %s: the hardware is polled, with one line', async (_, onChange) => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    onTestFinished(() => void process.off('unhandledRejection', listener));
    const wrong: Hardware = {};
    Object.assign(wrong, { onChange });
    const { values, device, clock, deviceStatus, log, testDevice } = await board(wrong.onChange);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    values.celsius = 70;
    clock.advance(1000);
    expect(device.read(status.members.temperatureAlarmStatus)).toBe(true);
    await testDevice.reboot();
    await promisesSettled();
    expect(log.errors.map(({ message }) => message)).toEqual([
      'The hardware cannot report changes; it is read every second',
    ]);
    expect(unhandled).toEqual([]);
  });
});

describe('hardware without reports', () => {
  test('has its pins read every 10 ms', async () => {
    const { values, clock, device, reads } = await board('polled');
    reads.inputs = 0;
    clock.advance(1000);
    expect(reads.inputs).toBeGreaterThanOrEqual(99);
    values.levels = [false, false, true];
    // A poll, and the time that a level has to last.
    clock.advance(10 + 10);
    expect(device.features.ports.isActive(3)).toBe(true);
  });
});

describe('an error that the hardware reports', () => {
  test('is a reason of DeviceStatus 7 and one line, until it is over', async () => {
    const { values, clock, changed, deviceStatus, inForce, log } = await board();
    values.errors = ['laser too cold', 'no mirror'];
    changed('errors');
    changed('errors');
    clock.advance(10_000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(inForce()).toEqual({ DS_RecoverableError: ['hardware: laser too cold', 'hardware: no mirror'] });
    expect(log.errors.map(({ facts }) => facts.reason)).toEqual(['laser too cold', 'no mirror']);
    values.errors = ['no mirror'];
    changed('errors');
    expect(inForce()).toEqual({ DS_RecoverableError: ['hardware: no mirror'] });
    values.errors = [];
    changed('errors');
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
  });

  test('has a limited length and number, and does not grow if its text changes all the time', async () => {
    const { values, changed, inForce } = await board();
    values.errors = Array.from({ length: 1000 }, (_, index) => `${index} `.repeat(500));
    changed('errors');
    expect(inForce().DS_RecoverableError).toHaveLength(20);
    expect(inForce().DS_RecoverableError?.[0]?.length).toBeLessThanOrEqual(220);
    for (let time = 0; time < 1000; time++) {
      values.errors = [`temperature ${time}`];
      changed('errors');
    }
    expect(inForce()).toEqual({ DS_RecoverableError: ['hardware: temperature 999'] });
  });

  test('holds after a reboot, too', async () => {
    const { values, changed, testDevice, deviceStatus } = await board();
    values.errors = ['no mirror'];
    changed('errors');
    await testDevice.reboot();
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
  });
});
