import { contaminationIndication, inputsAndOutputs } from '@azimuth/model';
import { expect, test } from 'vitest';
import { done, look, post, refused } from './control-client.js';
import { SceneScanner } from './room.js';

const { PortState, PortConfiguration } = inputsAndOutputs.members;
const { ContaminationData } = contaminationIndication.members;

test('an input that is driven high becomes active after its debounce time', async () => {
  const { testScanner } = await SceneScanner.start();
  const { device } = testScanner.service;
  const port = device.read(PortConfiguration).findIndex(({ PortType }) => PortType === 0) + 1;
  expect(port).toBeGreaterThan(0);
  const before = device.read(PortState).aInternalPorts[port - 1];
  expect(await post(testScanner, '/input', { port, high: true })).toEqual(done);
  await post(testScanner, '/clock/advance', { ms: 60_000 });
  expect(device.read(PortState).aInternalPorts[port - 1]).not.toEqual(before);
  const { ports } = (await look(testScanner, '/')).json;
  expect(ports).toContainEqual(expect.objectContaining({ port, driven: true, active: true }));
});

test('with a blocked front screen nothing is measured, with a clean one it is', async () => {
  const scanner = await SceneScanner.start();
  expect(await scanner.ahead()).toBe(2000);
  await post(scanner.testScanner, '/contamination', { level: 1 });
  expect(await scanner.ahead()).toBe(0);
  await post(scanner.testScanner, '/contamination', { level: 0 });
  expect(await scanner.ahead()).toBe(2000);
  expect(scanner.testScanner.service.device.read(ContaminationData)).toHaveLength(7);
});

test('dirt in one sector does not affect the others', async () => {
  const scanner = await SceneScanner.start();
  await post(scanner.testScanner, '/contamination', { level: 1, sector: 1 });
  expect(await scanner.ahead()).toBe(2000);
  // Straight ahead is in the middle of the fourth of seven sectors.
  await post(scanner.testScanner, '/contamination', { level: 1, sector: 4 });
  expect(await scanner.ahead()).toBe(0);
  expect(await post(scanner.testScanner, '/contamination', { level: 1, sector: 8 })).toEqual(
    refused('"sector" must be a whole number from 1 to 7'),
  );
});
