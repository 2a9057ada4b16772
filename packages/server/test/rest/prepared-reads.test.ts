import { type Device, MemoryStorage } from '@azimuth/device';
import { device as deviceGroup, ethernet, general, operatingData, type Variable } from '@azimuth/model';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, expect, test } from 'vitest';
import { PreparedReads } from '../../src/rest/response-bodies.js';

const { LocationName, DeviceIdent } = deviceGroup.members;
const { EtherIPAddress } = ethernet.members;
const { DailyOpHours } = operatingData.members;

let scanner: TestScanner;
let device: Device;
let reads: PreparedReads;

beforeEach(async () => {
  scanner = await TestScanner.start({ storage: new MemoryStorage() });
  device = scanner.service.device;
  reads = new PreparedReads(device);
});

function dataOf(variable: Variable<unknown>, name = variable.name): unknown {
  return JSON.parse(reads.of(variable, name).toString()).data;
}

test('the reply of a parameter is cached until its value changes', () => {
  const first = reads.of(LocationName, 'LocationName');
  expect(reads.of(LocationName, 'LocationName')).toBe(first);
  device.parameters.change((change) => change.set(EtherIPAddress, [10, 0, 0, 1]));
  device.parameters.change((change) => change.set(LocationName, device.read(LocationName)));
  expect(reads.of(LocationName, 'LocationName')).toBe(first);
});

test('a changed value is returned at once', () => {
  reads.of(LocationName, 'LocationName');
  reads.of(EtherIPAddress, 'EtherIPAddress');
  device.parameters.change((change) => change.set(LocationName, 'Gate 3').set(EtherIPAddress, [10, 0, 0, 1]));
  expect(dataOf(LocationName)).toEqual({ LocationName: 'Gate 3' });
  expect(dataOf(EtherIPAddress)).toEqual({ EtherIPAddress: [10, 0, 0, 1] });
});

test('an alias has a separate reply, which ends with the value, too', () => {
  expect(dataOf(LocationName, 'Alias')).toEqual({ Alias: device.read(LocationName) });
  expect(dataOf(LocationName)).toEqual({ LocationName: device.read(LocationName) });
  device.parameters.change((change) => change.set(LocationName, 'Gate 3'));
  expect(dataOf(LocationName, 'Alias')).toEqual({ Alias: 'Gate 3' });
  expect(dataOf(LocationName)).toEqual({ LocationName: 'Gate 3' });
});

test('replies that depend on the state of the device are built each time', () => {
  expect(dataOf(DailyOpHours)).toEqual({ DailyOpHours: 0 });
  scanner.clock.advance(5_400_000);
  expect(dataOf(DailyOpHours)).toEqual({ DailyOpHours: 1.5 });
});

test('a struct is under its name, and its members are beside it', () => {
  const ident = device.read(DeviceIdent);
  expect(dataOf(DeviceIdent)).toEqual({ DeviceIdent: ident, ...ident });
});

test('values after a boot are returned at once', async () => {
  device.parameters.change((change) => change.set(LocationName, 'not stored'));
  expect(dataOf(LocationName)).toEqual({ LocationName: 'not stored' });
  device.lifecycle.reboot();
  scanner.clock.advance(bootMilliseconds);
  await until(() => device.lifecycle.phase === 'up');
  expect(dataOf(LocationName)).toEqual({ LocationName: LocationName.type.initial });
});

test('defaults are returned at once', async () => {
  device.parameters.change((change) => change.set(LocationName, 'Gate 3'));
  reads.of(LocationName, 'LocationName');
  await device.call(general.members.LoadFactoryDefaults, undefined, { level: 'Service' });
  expect(dataOf(LocationName)).toEqual({ LocationName: LocationName.type.initial });
});

test('the cache is updated even if another listener fails', () => {
  reads.of(LocationName, 'LocationName');
  device.announcements.subscribe(() => {
    throw new Error('broken');
  });
  const late = new PreparedReads(device);
  late.of(LocationName, 'LocationName');
  try {
    device.parameters.change((change) => change.set(LocationName, 'Gate 3'));
  } catch (error) {
    expect(error).toEqual(new Error('broken'));
  }
  for (const each of [reads, late]) {
    expect(each.of(LocationName, 'LocationName').toString()).toContain('Gate 3');
  }
});
