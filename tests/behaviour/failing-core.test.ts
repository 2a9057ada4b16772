import { startScanner, type TestScanner } from '@azimuth/testing';
import { expect, it } from 'vitest';

const silent = () => {};

/** A scanner that measures: something uses its scans. */
async function measuring(): Promise<TestScanner> {
  const scanner = await startScanner({
    parameters: { ScanDataEnable: true },
    log: { info: silent, warn: silent, error: silent },
  });
  await scanner.advance(500);
  return scanner;
}

/** DeviceStatus after 300 ms with a fault, and after 300 ms without it. */
async function statuses(scanner: TestScanner, fault: Parameters<TestScanner['faults']['add']>[0]) {
  scanner.faults.add(fault);
  await scanner.advance(300);
  const failing = scanner.read('DeviceStatus');
  scanner.faults.clear();
  await scanner.advance(300);
  return [failing, scanner.read('DeviceStatus')];
}

it.each([
  { kind: 'core-stall' },
  { kind: 'core-time', by: -60_000 },
  { kind: 'core-time', by: 60_000 },
  { kind: 'scan-invalid', value: 'nan' },
  { kind: 'scan-invalid', value: 'negative' },
  { kind: 'scan-invalid', value: 'infinite' },
  { kind: 'scan-invalid', value: 'far' },
] as const)('a scanner whose core has the fault %o tells it, and recovers', async (fault) => {
  await using scanner = await measuring();
  expect(await statuses(scanner, { faults: [fault] })).toEqual([7, 3]);
});

it('a core whose numbers go back once is counted on from its numbers', async () => {
  await using scanner = await measuring();
  scanner.faults.add({ faults: [{ kind: 'core-number', by: -100, first: 1 }] });
  await scanner.advance(70);
  expect(scanner.read('DeviceStatus')).toBe(7);
  await scanner.advance(70);
  expect(scanner.read('DeviceStatus')).toBe(3);
});

it.each([
  ['temperature', 'throws'],
  ['temperature', 'wrong'],
  ['inputs', 'throws'],
  ['inputs', 'wrong'],
  ['encoder', 'wrong'],
  ['setOutputs', 'throws'],
] as const)('a scanner whose %s fails (%s) tells it, and recovers', async (member, how) => {
  await using scanner = await measuring();
  scanner.faults.add({ faults: [{ kind: 'hardware-fails', member, how }] });
  await scanner.advance(1);
  // A call is made when an output changes.
  await scanner.write('PortConfiguration', inverted(scanner));
  await scanner.advance(2000);
  expect(scanner.read('DeviceStatus')).toBe(7);
  scanner.faults.clear();
  await scanner.advance(2000);
  expect(scanner.read('DeviceStatus')).toBe(3);
});

it('a call of the hardware that hangs fails after 5 s, and ends with the fault', async () => {
  await using scanner = await measuring();
  scanner.faults.add({ faults: [{ kind: 'hardware-fails', member: 'setOutputs', how: 'hangs' }] });
  await scanner.advance(1);
  await scanner.write('PortConfiguration', inverted(scanner));
  await scanner.advance(4500);
  expect(scanner.read('DeviceStatus')).toBe(3);
  await scanner.advance(1000);
  expect(scanner.read('DeviceStatus')).toBe(7);
  scanner.faults.clear();
  await scanner.advance(10);
  expect(scanner.read('DeviceStatus')).toBe(3);
});

function inverted(scanner: TestScanner) {
  return scanner.read('PortConfiguration').map((port) => ({
    ...port,
    OutputSettings: { ...port.OutputSettings, Logic: 0 as const },
  }));
}
