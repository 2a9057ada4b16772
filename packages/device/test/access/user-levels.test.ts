import { expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';

const numbers = Array.from({ length: 256 }, (_, number) => number);
const warnings = (bench: Bench) => bench.log.lines.filter(({ severity }) => severity === 'warn');
const factory = { Maintenance: false, AuthorizedClient: false, Service: true };

test('EnableUserLevel answers as the table says for every number and both values', async () => {
  const bench = await Bench.open();
  for (const isEnabled of [true, false]) {
    for (const userLevel of numbers) {
      const switchable = userLevel === 2 || userLevel === 3 || (userLevel === 4 && isEnabled);
      const answer = await bench.respond('EnableUserLevel', { userLevel, isEnabled });
      expect([userLevel, isEnabled, answer]).toEqual([userLevel, isEnabled, { result: switchable ? 0 : 2 }]);
    }
    const { userLevels, legacyUserLevels } = bench.device.state.content;
    expect(userLevels).toEqual({ Maintenance: isEnabled, AuthorizedClient: isEnabled, Service: true });
    expect(legacyUserLevels).toEqual(factory);
  }
});

test('EnableLegacyUserLevel answers as the table says for every number and both values', async () => {
  const bench = await Bench.open();
  for (const isEnabled of [true, false]) {
    for (const userLevel of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const switchable = userLevel === 2 || userLevel === 3 || (userLevel === 4 && isEnabled);
      const answer = await bench.respond('EnableLegacyUserLevel', { userLevel, isEnabled });
      expect([userLevel, isEnabled, answer]).toEqual([userLevel, isEnabled, { result: switchable }]);
    }
    const { userLevels, legacyUserLevels } = bench.device.state.content;
    expect(legacyUserLevels).toEqual({ Maintenance: isEnabled, AuthorizedClient: isEnabled, Service: true });
    expect(userLevels).toEqual(factory);
  }
});

test('each switch turns one level', async () => {
  const bench = await Bench.open();
  await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(bench.device.state.content.userLevels).toEqual({ ...factory, Maintenance: true });
  await bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: false });
  expect(bench.device.state.content.userLevels).toEqual({ ...factory, AuthorizedClient: true });
});

test('a switch is on disk when it is answered, without WriteEeprom', async () => {
  const bench = await Bench.open();
  await bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  const after = await bench.afterPowerCut();
  expect(after.device.state.content.userLevels).toEqual({ ...factory, AuthorizedClient: true });
  expect(after.logIn('AuthorizedClient')).toEqual({ level: 'AuthorizedClient' });
});

test.each([
  ['EnableUserLevel', 'REST'],
  ['EnableLegacyUserLevel', 'legacy'],
] as const)(
  '%s warns of a level whose password is still the one from the factory',
  async (name, protocol) => {
    const bench = await Bench.open();
    await bench.respond(name, { userLevel: 2, isEnabled: true });
    expect(warnings(bench)).toMatchObject([
      { severity: 'warn', facts: { userLevel: 'Maintenance', protocol } },
    ]);
    expect(warnings(bench)[0]?.message).toContain('factory password');
    await bench.respond(name, { userLevel: 2, isEnabled: false });
    expect(warnings(bench)).toHaveLength(1);
    await bench.device.credentials.setPassword('Maintenance', 'keys');
    await bench.respond(name, { userLevel: 2, isEnabled: true });
    expect(warnings(bench)).toHaveLength(1);
  },
);

test('below release 2.1.0 LoadFactoryDefaults enables levels, and warns of those with factory passwords alike', async () => {
  const bench = await Bench.open({ release: '1.5.0' });
  await bench.device.credentials.setPassword('AuthorizedClient', 'own');
  for (const userLevel of [2, 3]) {
    await bench.respond('EnableUserLevel', { userLevel, isEnabled: false });
    await bench.respond('EnableLegacyUserLevel', { userLevel, isEnabled: false });
  }
  const before = warnings(bench).length;
  await bench.respond('LoadFactoryDefaults');
  expect(warnings(bench).slice(before)).toMatchObject([
    { facts: { userLevel: 'Maintenance', protocol: 'REST' } },
    { facts: { userLevel: 'Maintenance', protocol: 'legacy' } },
  ]);
  const told = warnings(bench).length;
  await bench.respond('LoadFactoryDefaults');
  expect(warnings(bench)).toHaveLength(told);
});

test('the warning depends on the password of the protocol that the level is enabled for', async () => {
  const bench = await Bench.open();
  await bench.respond('SetPassword', { siUserLevel: 3, udiNewPassword: 7 });
  await bench.respond('EnableLegacyUserLevel', { userLevel: 3, isEnabled: true });
  expect(warnings(bench)).toEqual([]);
  await bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  expect(warnings(bench)).toHaveLength(1);
});

test('a switch that cannot be stored is answered with status 3, and does not turn', async () => {
  const bench = await Bench.open();
  bench.storage.fail('parameters.json');
  const turning = bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  await expect(turning).rejects.toMatchObject({ status: 'internalServerError' });
  expect(bench.device.state.content.userLevels).toEqual(factory);
});

test('a switch stores no parameter, and no date of a save', async () => {
  const bench = await Bench.open();
  const { saved, parameters } = bench.device.state.content;
  bench.clock.advance(120_000);
  await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(bench.device.state.content).toMatchObject({ saved, parameters });
});

test.each(['Run', 'Maintenance', 'AuthorizedClient'] as const)('%s switches no level', async (level) => {
  const bench = await Bench.open();
  const turning = bench.call('EnableUserLevel', { userLevel: 2, isEnabled: true }, { level });
  await expect(turning).rejects.toMatchObject({ status: 'accessDenied' });
});
