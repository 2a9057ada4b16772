import { detectionHistory, device as deviceGroup } from '@azimuth/model';
import { expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';

const { LocationName } = deviceGroup.members;
const { EnableDetectionHistory } = detectionHistory.members;

/** A scanner with a device and an application parameter set and stored, and set again since. */
async function adjusted(): Promise<Bench> {
  const bench = await Bench.open();
  bench.device.parameters.change((change) =>
    change.set(LocationName, 'stored').set(EnableDetectionHistory, false),
  );
  await bench.respond('WriteEeprom');
  bench.device.parameters.change((change) => change.set(LocationName, 'working'));
  return bench;
}

test('LoadApplicationDefaults resets the application section, for good, and leaves the device alone', async () => {
  const bench = await adjusted();
  await bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await bench.respond('LoadApplicationDefaults');
  expect(bench.device.read(EnableDetectionHistory)).toBe(true);
  expect(bench.device.read(LocationName)).toBe('working');
  const after = await bench.afterPowerCut();
  expect(after.device.read(EnableDetectionHistory)).toBe(true);
  expect(after.device.read(LocationName)).toBe('stored');
  expect(after.device.state.content.userLevels.AuthorizedClient).toBe(true);
});

test('LoadFactoryDefaults resets everything with the switches, for good', async () => {
  const bench = await adjusted();
  await bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await bench.respond('EnableLegacyUserLevel', { userLevel: 2, isEnabled: true });
  await bench.respond('LoadFactoryDefaults');
  const after = await bench.afterPowerCut();
  for (const { device } of [bench, after]) {
    expect(device.parameters.layer('working')).toEqual(device.parameters.layer('factory'));
    expect(device.parameters.layer('stored')).toEqual(device.parameters.layer('factory'));
    const off = { Maintenance: false, AuthorizedClient: false, Service: true };
    expect(device.state.content).toMatchObject({ userLevels: off, legacyUserLevels: off });
  }
});

test('LoadFactoryDefaults keeps passwords', async () => {
  const bench = await Bench.open({ passwords: { Service: 'other' } });
  await bench.respond('LoadFactoryDefaults');
  expect(bench.logIn('Service', 'other')).toEqual({ level: 'Service' });
  expect((await bench.afterPowerCut()).logIn('Service', 'other')).toEqual({ level: 'Service' });
});

test('defaults come without a reboot', async () => {
  const bench = await adjusted();
  const { afterwards } = await bench.call('LoadFactoryDefaults');
  expect(afterwards).toBeUndefined();
  expect(bench.device.lifecycle.phase).toBe('up');
});

test('without the variant that has it, an application parameter is none', async () => {
  const { device } = await Bench.open({ variant: 'core' });
  expect(device.parameters.has(EnableDetectionHistory)).toBe(false);
  expect(device.parameters.has(LocationName)).toBe(true);
});
