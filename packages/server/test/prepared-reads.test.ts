import { type Device, MemoryStorage } from '@azimuth/device';
import { device as deviceGroup, ethernet, operatingData, type Variable } from '@azimuth/model';
import { beforeEach, expect, test } from 'vitest';
import { Bench, bootMilliseconds } from '../../../tests/support/service-test-bench.js';
import { until } from '../../../tests/support/waiting.js';
import { PreparedReads } from '../src/rest/envelope.js';

const { LocationName, DeviceIdent } = deviceGroup.members;
const { EtherIPAddress } = ethernet.members;
const { DailyOpHours } = operatingData.members;

let bench: Bench;
let device: Device;
let reads: PreparedReads;

beforeEach(async () => {
  bench = await Bench.start({ storage: new MemoryStorage() });
  device = bench.service.device;
  reads = new PreparedReads(device);
});

function dataOf(variable: Variable<unknown>, name = variable.name): unknown {
  return JSON.parse(reads.of(variable, name).toString()).data;
}

test('the bytes of a parameter are kept as long as it keeps its value', () => {
  const first = reads.of(LocationName, 'LocationName');
  expect(reads.of(LocationName, 'LocationName')).toBe(first);
  device.parameters.change((change) => change.set(EtherIPAddress, [10, 0, 0, 1]));
  device.parameters.change((change) => change.set(LocationName, device.read(LocationName)));
  expect(reads.of(LocationName, 'LocationName')).toBe(first);
});

test('a change is read at once', () => {
  reads.of(LocationName, 'LocationName');
  reads.of(EtherIPAddress, 'EtherIPAddress');
  device.parameters.change((change) => change.set(LocationName, 'Gate 3').set(EtherIPAddress, [10, 0, 0, 1]));
  expect(dataOf(LocationName)).toEqual({ LocationName: 'Gate 3' });
  expect(dataOf(EtherIPAddress)).toEqual({ EtherIPAddress: [10, 0, 0, 1] });
});

test('an alias has bytes of its own, which go with the value, too', () => {
  expect(dataOf(LocationName, 'Alias')).toEqual({ Alias: device.read(LocationName) });
  expect(dataOf(LocationName)).toEqual({ LocationName: device.read(LocationName) });
  device.parameters.change((change) => change.set(LocationName, 'Gate 3'));
  expect(dataOf(LocationName, 'Alias')).toEqual({ Alias: 'Gate 3' });
  expect(dataOf(LocationName)).toEqual({ LocationName: 'Gate 3' });
});

test('what comes from the state of the device is made anew each time', () => {
  expect(dataOf(DailyOpHours)).toEqual({ DailyOpHours: 0 });
  bench.clock.advance(5_400_000);
  expect(dataOf(DailyOpHours)).toEqual({ DailyOpHours: 1.5 });
});

test('a struct stands under its name, and its members beside it', () => {
  const ident = device.read(DeviceIdent);
  expect(dataOf(DeviceIdent)).toEqual({ DeviceIdent: ident, ...ident });
});

test('a boot is read at once', async () => {
  device.parameters.change((change) => change.set(LocationName, 'not stored'));
  expect(dataOf(LocationName)).toEqual({ LocationName: 'not stored' });
  device.lifecycle.reboot();
  bench.clock.advance(bootMilliseconds);
  await until(() => device.lifecycle.phase === 'up');
  expect(dataOf(LocationName)).toEqual({ LocationName: LocationName.type.initial });
});

test('defaults are read at once', async () => {
  device.parameters.change((change) => change.set(LocationName, 'Gate 3'));
  reads.of(LocationName, 'LocationName');
  await device.saving.loadFactoryDefaults();
  expect(dataOf(LocationName)).toEqual({ LocationName: LocationName.type.initial });
});

test('another listener that fails does not leave old bytes behind', () => {
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
