import { status } from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/index.js';
import { containedClock } from '../../src/lifecycle/unexpected-errors.js';
import { UnexpectedErrors } from '../../src/reports.js';

const { DeviceStatus } = status.members;
const fails = () => {
  throw new Error('out of order');
};

test('a timer of the device that throws is reported, shows as DeviceStatus 7 until the next boot, and ends nothing', async () => {
  const testDevice = await TestDevice.open();
  const { device, clock, log } = testDevice;
  let later = 0;
  device.clock.after(10, fails);
  device.clock.after(20, () => later++);
  clock.advance(30);
  expect(later).toBe(1);
  expect(device.read(DeviceStatus)).toBe(7);
  expect(device.features.deviceStatus.conditions.inForce).toEqual({
    DS_RecoverableError: ['unexpected error'],
  });
  expect(device.errors.counts.of('timer')).toBe(1);
  const [line, ...others] = log.errors;
  expect(others).toEqual([]);
  expect(line?.message).toBe('Unexpected error inside the scanner; the scanner continues');
  expect(line?.facts.where).toBe('timer');
  // The text has the stack.
  expect(String(line?.facts.reason)).toMatch(/out of order\n +at .*unexpected-errors\.test/);
  await testDevice.reboot();
  expect(device.read(DeviceStatus)).toBe(3);
});

test('an error in a promise that nobody waits for is one, too', async () => {
  const { device, log } = await TestDevice.open();
  const failed: unknown[] = [];
  device.errors.contain(
    'search',
    async () => fails(),
    (error) => failed.push(error),
  );
  await promisesSettled();
  expect(failed).toEqual([new Error('out of order')]);
  expect(log.errors[0]?.facts.where).toBe('search');
});

test('who goes down or comes up with the scanner and fails keeps it neither up nor down, and nothing from the others', async () => {
  const testDevice = await TestDevice.open();
  const { device } = testDevice;
  const seen: string[] = [];
  device.lifecycle.onDown(fails);
  device.lifecycle.onDown(() => seen.push('down'));
  device.lifecycle.onUp(async () => fails());
  device.lifecycle.onUp(() => {
    seen.push('up');
  });
  await testDevice.reboot();
  expect(seen).toEqual(['down', 'up']);
  expect(device.lifecycle.phase).toBe('up');
  expect(device.errors.counts.of('reboot')).toBe(2);
});

test('the same error is reported once a minute, and others beside it, but not without limit', () => {
  const clock = new VirtualClock();
  const log = new LogBook();
  const errors = new UnexpectedErrors({ log, clock });
  for (let time = 0; time < 1000; time++) errors.report('http', new Error('again'));
  errors.report('legacy', new Error('again'));
  errors.report('http', 'another one');
  expect(log.errors.map(({ facts }) => facts.where)).toEqual(['http', 'legacy', 'http']);
  for (let number = 0; number < 1000; number++) errors.report('events', new Error(`error ${number}`));
  expect(log.errors).toHaveLength(20);
  expect(errors.counts.of('events')).toBe(1000);
  clock.advance(60_000);
  errors.report('http', new Error('again'));
  expect(log.errors.slice(20).map(({ message }) => message)).toEqual([
    'Errors that were already logged have happened again',
    'Unexpected error inside the scanner; the scanner continues',
  ]);
  expect(log.errors[20]?.facts).toEqual({ times: 999 });
});

test('a log that fails ends nothing either', () => {
  const log = { info: fails, warn: fails, error: fails };
  const errors = new UnexpectedErrors({ log, clock: new VirtualClock() });
  errors.contain('http', fails, fails);
  expect(errors.counts.of('http')).toBe(2);
});

test('the clock of the device passes mayAct of the clock beneath it on', () => {
  const beneath = Object.assign(new VirtualClock(), { isOwn: true, mayAct: () => beneath.isOwn });
  const contained = containedClock(beneath, (callback) => callback());
  expect(contained.mayAct?.()).toBe(true);
  beneath.isOwn = false;
  expect(contained.mayAct?.()).toBe(false);
  expect(containedClock(new VirtualClock(), fails).mayAct).toBeUndefined();
});
