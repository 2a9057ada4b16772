import { detectionHistory, device as deviceGroup } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { legacyPasswordHash } from '../../src/access/credentials.js';
import { decodeDocument, encodeDocument } from '../../src/storage/document.js';

const { LocationName } = deviceGroup.members;
const { EnableDetectionHistory } = detectionHistory.members;

/** A scanner with a device and an application parameter: written, saved, and written again. */
async function adjusted(): Promise<TestDevice> {
  const testDevice = await TestDevice.open();
  testDevice.device.parameters.change((change) =>
    change.set(LocationName, 'stored').set(EnableDetectionHistory, false),
  );
  await testDevice.respond('WriteEeprom');
  testDevice.device.parameters.change((change) => change.set(LocationName, 'working'));
  return testDevice;
}

test('LoadApplicationDefaults resets the application section, for good, and leaves the device alone', async () => {
  const testDevice = await adjusted();
  await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await testDevice.respond('LoadApplicationDefaults');
  expect(testDevice.device.read(EnableDetectionHistory)).toBe(true);
  expect(testDevice.device.read(LocationName)).toBe('working');
  const after = await testDevice.afterPowerCut();
  expect(after.device.read(EnableDetectionHistory)).toBe(true);
  expect(after.device.read(LocationName)).toBe('stored');
  expect(after.context.state.content.userLevels.AuthorizedClient).toBe(true);
});

test('LoadFactoryDefaults resets everything with the switches, for good', async () => {
  const testDevice = await adjusted();
  await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await testDevice.respond('EnableLegacyUserLevel', { userLevel: 2, isEnabled: true });
  await testDevice.respond('LoadFactoryDefaults');
  const after = await testDevice.afterPowerCut();
  for (const { device, context } of [testDevice, after]) {
    expect(device.parameters.layer('working')).toEqual(device.parameters.layer('factory'));
    expect(device.parameters.layer('stored')).toEqual(device.parameters.layer('factory'));
    const off = { Maintenance: false, AuthorizedClient: false, Service: true };
    expect(context.state.content).toMatchObject({ userLevels: off, legacyUserLevels: off });
  }
});

test('LoadFactoryDefaults brings the passwords back with which the scanner began, for good', async () => {
  const testDevice = await TestDevice.open({ passwords: { Service: 'first' } });
  const { credentials } = testDevice.context;
  await credentials.setPassword('Service', 'later');
  await credentials.setPassword('Maintenance', 'later');
  await testDevice.respond('LoadFactoryDefaults');
  const after = await testDevice.afterPowerCut();
  for (const { context } of [testDevice, after]) {
    expect(context.credentials.isLegacy('Service', legacyPasswordHash('first'))).toBe(true);
    expect(context.credentials.isFactoryRest('Maintenance')).toBe(true);
    expect(context.credentials.isFactoryLegacy('Maintenance')).toBe(true);
  }
  for (const one of [testDevice, after]) {
    expect(one.logIn('Service', 'first')).toEqual({ level: 'Service' });
    expect(() => one.logIn('Service', 'later')).toThrow('wrong credentials');
  }
});

test('LoadFactoryDefaults ends the session tokens of levels that get another password, and of no others', async () => {
  const testDevice = await TestDevice.open();
  const { credentials } = testDevice.context;
  const { sessionTokens } = testDevice.device.features;
  const { token } = sessionTokens.issue('Service');
  await testDevice.respond('LoadFactoryDefaults');
  expect(sessionTokens.levelOf(token)).toBe('Service');
  await credentials.setPassword('Service', 'later');
  const { token: later } = sessionTokens.issue('Service');
  await testDevice.respond('LoadFactoryDefaults');
  expect(sessionTokens.levelOf(later)).toBeUndefined();
});

test('credentials that do not tell the first passwords begin again with those of the factory', async () => {
  const storage = new FaultyStorage();
  const testDevice = await TestDevice.open({ passwords: { Service: 'first' } }, storage);
  const { first: _, ...older } = decodeDocument(
    storage.documents.get('credentials.json') ?? new Uint8Array(),
  );
  storage.documents.set('credentials.json', encodeDocument(older));
  const after = await testDevice.afterPowerCut();
  expect(after.logIn('Service', 'first')).toEqual({ level: 'Service' });
  await after.respond('LoadFactoryDefaults');
  expect(after.logIn('Service', 'servicelevel')).toEqual({ level: 'Service' });
});

test('defaults come without a reboot', async () => {
  const testDevice = await adjusted();
  const { afterwards } = await testDevice.call('LoadFactoryDefaults');
  expect(afterwards).toBeUndefined();
  expect(testDevice.device.lifecycle.phase).toBe('up');
});

test('without the variant that has it, an application parameter is none', async () => {
  const { device } = await TestDevice.open({ variant: 'basic' });
  expect(device.parameters.has(EnableDetectionHistory)).toBe(false);
  expect(device.parameters.has(LocationName)).toBe(true);
});
