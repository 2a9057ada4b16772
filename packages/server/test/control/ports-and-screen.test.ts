import { sectorCount } from '@azimuth/model';
import { VirtualHardware } from '@azimuth/simulation';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test, vi } from 'vitest';
import { done, post, refused } from './control-client.js';

/** A scanner with a control port, its virtual hardware, and the calls of the commands into the device. */
async function opened() {
  const hosts: VirtualHardware[] = [];
  const scanner = await TestScanner.start({
    controlPort: 0,
    hardware: (log) => {
      const hardware = new VirtualHardware(log);
      hosts.push(hardware);
      return hardware;
    },
  });
  const [hardware = new VirtualHardware(scanner.log)] = hosts;
  const { contamination } = scanner.service.device.features;
  return {
    scanner,
    hardware,
    setInput: vi.spyOn(hardware, 'setInput'),
    levelsChanged: vi.spyOn(contamination, 'levelsChanged'),
  };
}

test('a port can be driven high and low', async () => {
  const { scanner, setInput } = await opened();
  expect(await post(scanner, '/input', { port: 1, high: true })).toEqual(done);
  expect(await post(scanner, '/input', { port: 6, high: false })).toEqual(done);
  expect(setInput.mock.calls).toEqual([
    [1, true],
    [6, false],
  ]);
  expect(scanner.service.device.features.ports.overview.map(({ driven }) => driven)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  [{ port: 0, high: true }, '"port" must be a whole number from 1 to 6'],
  [{ port: 7, high: true }, '"port" must be a whole number from 1 to 6'],
  [{ port: 1.5, high: true }, '"port" must be a whole number from 1 to 6'],
  [{ port: '1', high: true }, '"port" must be a whole number from 1 to 6'],
  [{ high: true }, '"port" must be a whole number from 1 to 6'],
  [{ port: 1, high: 1 }, '"high" must be true or false'],
  [{ port: 1 }, '"high" must be true or false'],
  [{ port: 1, high: true, low: 1 }, 'input takes "port", "high", not "low"'],
])('%j drives no port', async (body, error) => {
  const { scanner, setInput } = await opened();
  expect(await post(scanner, '/input', body)).toEqual(refused(error));
  expect(setInput).not.toHaveBeenCalled();
});

test('dirt is set for the whole front screen or for one sector', async () => {
  const { scanner, hardware, levelsChanged } = await opened();
  expect(await post(scanner, '/contamination', { level: 0.25 })).toEqual(done);
  expect(hardware.contamination()).toEqual(Array.from({ length: sectorCount }, () => 0.25));
  expect(await post(scanner, '/contamination', { level: 1, sector: 3 })).toEqual(done);
  expect(await post(scanner, '/contamination', { level: 0, sector: 7 })).toEqual(done);
  const q = 0.25;
  expect(hardware.contamination()).toEqual([q, q, 1, q, q, q, 0]);
  expect(levelsChanged).toHaveBeenCalledTimes(3);
});

test.each([
  [{ level: -0.1 }, '"level" must be a number from 0 to 1'],
  [{ level: 1.1 }, '"level" must be a number from 0 to 1'],
  [{ level: 'dirty' }, '"level" must be a number from 0 to 1'],
  [{}, '"level" must be a number from 0 to 1'],
  [{ level: 1, sector: 0 }, '"sector" must be a whole number from 1 to 7'],
  [{ level: 1, sector: 8 }, '"sector" must be a whole number from 1 to 7'],
  [{ level: 1, sector: 2.5 }, '"sector" must be a whole number from 1 to 7'],
  [{ level: 1, sector: null }, '"sector" must be a whole number from 1 to 7'],
])('%j is not valid dirt', async (body, error) => {
  const { scanner, hardware, levelsChanged } = await opened();
  expect(await post(scanner, '/contamination', body)).toEqual(refused(error));
  expect(hardware.contamination()).toEqual(Array.from({ length: sectorCount }, () => 0));
  expect(levelsChanged).not.toHaveBeenCalled();
});
