import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';

const numbers = Array.from({ length: 256 }, (_, number) => number);
const warnings = (testDevice: TestDevice) =>
  testDevice.log.lines.filter(({ severity }) => severity === 'warn');
const factory = { Maintenance: false, AuthorizedClient: false, Service: true };

test('EnableUserLevel responds as in the table for every number and both values', async () => {
  const testDevice = await TestDevice.open();
  for (const isEnabled of [true, false]) {
    for (const userLevel of numbers) {
      const switchable = userLevel === 2 || userLevel === 3 || (userLevel === 4 && isEnabled);
      const response = await testDevice.respond('EnableUserLevel', { userLevel, isEnabled });
      expect([userLevel, isEnabled, response]).toEqual([
        userLevel,
        isEnabled,
        { result: switchable ? 0 : 2 },
      ]);
    }
    const { userLevels, legacyUserLevels } = testDevice.context.state.content;
    expect(userLevels).toEqual({ Maintenance: isEnabled, AuthorizedClient: isEnabled, Service: true });
    expect(legacyUserLevels).toEqual(factory);
  }
});

test('EnableLegacyUserLevel responds as in the table for every number and both values', async () => {
  const testDevice = await TestDevice.open();
  for (const isEnabled of [true, false]) {
    for (const userLevel of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const switchable = userLevel === 2 || userLevel === 3 || (userLevel === 4 && isEnabled);
      const response = await testDevice.respond('EnableLegacyUserLevel', { userLevel, isEnabled });
      expect([userLevel, isEnabled, response]).toEqual([userLevel, isEnabled, { result: switchable }]);
    }
    const { userLevels, legacyUserLevels } = testDevice.context.state.content;
    expect(legacyUserLevels).toEqual({ Maintenance: isEnabled, AuthorizedClient: isEnabled, Service: true });
    expect(userLevels).toEqual(factory);
  }
});

test('each switch turns one level', async () => {
  const testDevice = await TestDevice.open();
  await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(testDevice.context.state.content.userLevels).toEqual({ ...factory, Maintenance: true });
  await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: false });
  expect(testDevice.context.state.content.userLevels).toEqual({ ...factory, AuthorizedClient: true });
});

test('a switch is on disk at its response, without WriteEeprom', async () => {
  const testDevice = await TestDevice.open();
  await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  const after = await testDevice.afterPowerCut();
  expect(after.context.state.content.userLevels).toEqual({ ...factory, AuthorizedClient: true });
  expect(after.logIn('AuthorizedClient')).toEqual({ level: 'AuthorizedClient' });
});

test.each([
  ['EnableUserLevel', 'REST'],
  ['EnableLegacyUserLevel', 'legacy'],
] as const)(
  '%s warns of a level whose password is still the one from the factory',
  async (name, protocol) => {
    const testDevice = await TestDevice.open();
    await testDevice.respond(name, { userLevel: 2, isEnabled: true });
    expect(warnings(testDevice)).toMatchObject([
      { severity: 'warn', facts: { userLevel: 'Maintenance', protocol } },
    ]);
    expect(warnings(testDevice)[0]?.message).toContain('factory password');
    await testDevice.respond(name, { userLevel: 2, isEnabled: false });
    expect(warnings(testDevice)).toHaveLength(1);
    await testDevice.context.credentials.setPassword('Maintenance', 'keys');
    await testDevice.respond(name, { userLevel: 2, isEnabled: true });
    expect(warnings(testDevice)).toHaveLength(1);
  },
);

test('below release 2.1.0 LoadFactoryDefaults enables levels, and warns of those with factory passwords alike', async () => {
  const testDevice = await TestDevice.open({ release: '1.5.0' });
  await testDevice.context.credentials.setPassword('AuthorizedClient', 'own');
  for (const userLevel of [2, 3]) {
    await testDevice.respond('EnableUserLevel', { userLevel, isEnabled: false });
    await testDevice.respond('EnableLegacyUserLevel', { userLevel, isEnabled: false });
  }
  const before = warnings(testDevice).length;
  await testDevice.respond('LoadFactoryDefaults');
  expect(warnings(testDevice).slice(before)).toMatchObject([
    { facts: { userLevel: 'Maintenance', protocol: 'REST' } },
    { facts: { userLevel: 'AuthorizedClient', protocol: 'REST' } },
    { facts: { userLevel: 'Maintenance', protocol: 'legacy' } },
    { facts: { userLevel: 'AuthorizedClient', protocol: 'legacy' } },
  ]);
  const reported = warnings(testDevice).length;
  await testDevice.respond('LoadFactoryDefaults');
  expect(warnings(testDevice)).toHaveLength(reported);
});

test('the warning depends on the password of the protocol that the level is enabled for', async () => {
  const testDevice = await TestDevice.open();
  await testDevice.respond('SetPassword', { siUserLevel: 3, udiNewPassword: 7 });
  await testDevice.respond('EnableLegacyUserLevel', { userLevel: 3, isEnabled: true });
  expect(warnings(testDevice)).toEqual([]);
  await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  expect(warnings(testDevice)).toHaveLength(1);
});

test('a switch that cannot be stored gets status 3, and does not change', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.fail('parameters.json');
  const turning = testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await expect(turning).rejects.toMatchObject({ status: 'internalServerError' });
  expect(testDevice.context.state.content.userLevels).toEqual(factory);
});

test('a switch stores no parameter, and no date of a save', async () => {
  const testDevice = await TestDevice.open();
  const { saved, parameters } = testDevice.context.state.content;
  testDevice.clock.advance(120_000);
  await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(testDevice.context.state.content).toMatchObject({ saved, parameters });
});

test.each(['Run', 'Maintenance', 'AuthorizedClient'] as const)('%s switches no level', async (level) => {
  const testDevice = await TestDevice.open();
  const turning = testDevice.call('EnableUserLevel', { userLevel: 2, isEnabled: true }, { level });
  await expect(turning).rejects.toMatchObject({ status: 'accessDenied' });
});
