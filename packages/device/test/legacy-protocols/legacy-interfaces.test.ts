import { legacyProtocols, type Release, releases } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';

const hash = { Maintenance: 0xb21ace26, AuthorizedClient: 0xf4724744, Service: 0x81be23aa };

async function accessOf(release: Release) {
  const testDevice = await TestDevice.open({ release });
  return { testDevice, access: testDevice.device.features.legacyInterfaces.access };
}

test.each(releases)('release %s lets in over the legacy protocol whom its factory says', async (release) => {
  const { access } = await accessOf(release);
  const all = release === '1.4.0' || release === '1.5.0';
  expect(access.login(4, hash.Service)).toBe('Service');
  expect(access.login(3, hash.AuthorizedClient)).toBe(all ? 'AuthorizedClient' : undefined);
  expect(access.login(2, hash.Maintenance)).toBe(all ? 'Maintenance' : undefined);
});

test('Run accepts any hash, Operator and numbers of no level none', async () => {
  const { access } = await accessOf('1.5.0');
  expect(access.login(0, 12345)).toBe('Run');
  for (const number of [1, 5, 7, 255]) expect(access.login(number, 0)).toBeUndefined();
  expect(access.lockout.locked).toBe(false);
});

describe('the lock', () => {
  test('comes with the fifth failure in a row, holds for 30 s, and refuses the right password', async () => {
    const { testDevice, access } = await accessOf('2.4.4');
    for (let count = 0; count < 4; count++) expect(access.login(4, 1)).toBeUndefined();
    expect(access.lockout.locked).toBe(false);
    await testDevice.respond('EnableLegacyUserLevel', { userLevel: 2, isEnabled: true });
    access.login(2, 1);
    expect(access.lockout.locked).toBe(true);
    testDevice.clock.advance(29_999);
    expect(access.login(4, hash.Service)).toBeUndefined();
    expect(access.login(0, 0)).toBeUndefined();
    testDevice.clock.advance(1);
    expect(access.login(4, hash.Service)).toBe('Service');
    expect(access.failed.Service).toBe(4);
    expect(access.failed.Maintenance).toBe(1);
    expect(access.succeeded.Service).toBe(1);
  });

  test('is put off by a login that succeeds, and not by any password of a level that is off', async () => {
    const { access } = await accessOf('2.4.4');
    for (let count = 0; count < 4; count++) access.login(4, 1);
    access.login(4, hash.Service);
    for (let count = 0; count < 4; count++) access.login(4, 1);
    for (let count = 0; count < 10; count++) {
      expect(access.login(3, hash.AuthorizedClient)).toBeUndefined();
      expect(access.login(3, 1)).toBeUndefined();
    }
    expect(access.lockout.locked).toBe(false);
    expect(access.failed.AuthorizedClient).toBe(0);
    expect(access.disabled.AuthorizedClient).toBe(20);
    access.login(4, 1);
    expect(access.lockout.locked).toBe(true);
  });

  test('is not put off by the known password of another level', async () => {
    const { testDevice, access } = await accessOf('2.4.4');
    await testDevice.respond('EnableLegacyUserLevel', { userLevel: 3, isEnabled: true });
    for (let count = 0; count < 4; count++) access.login(4, 1);
    expect(access.login(3, hash.AuthorizedClient)).toBe('AuthorizedClient');
    access.login(4, 1);
    expect(access.lockout.locked).toBe(true);
  });

  test('is not that of REST, either way', async () => {
    const { testDevice, access } = await accessOf('2.4.4');
    for (let count = 0; count < 5; count++) access.login(4, 1);
    expect(testDevice.logIn()).toEqual({ level: 'Service' });
    testDevice.clock.advance(30_000);
    for (let count = 0; count < 5; count++) expect(() => testDevice.logIn('Service', 'wrong')).toThrow();
    expect(testDevice.device.access.lockout.locked).toBe(true);
    expect(access.login(4, hash.Service)).toBe('Service');
  });
});

test('a level that is switched off has no rights any more, at once', async () => {
  const { testDevice, access } = await accessOf('2.4.4');
  await testDevice.respond('EnableLegacyUserLevel', { userLevel: 3, isEnabled: true });
  expect(access.login(3, hash.AuthorizedClient)).toBe('AuthorizedClient');
  const password = access.passwordOf('AuthorizedClient');
  expect(access.rights('AuthorizedClient', password)).toBe('AuthorizedClient');
  await testDevice.respond('EnableLegacyUserLevel', { userLevel: 3, isEnabled: false });
  expect(access.rights('AuthorizedClient', password)).toBe('Run');
  expect(access.rights('Service', access.passwordOf('Service'))).toBe('Service');
});

test('whoever has logged in with a password has no rights any more when it changes, and keeps them when another does', async () => {
  const { testDevice, access } = await accessOf('2.4.4');
  const password = access.passwordOf('Service');
  await testDevice.respond('SetPassword', { siUserLevel: 3, udiNewPassword: 7 });
  await testDevice.context.credentials.setRest(
    'Service',
    testDevice.context.credentials.content.rest.Maintenance,
  );
  expect(access.rights('Service', password)).toBe('Service');
  await testDevice.context.credentials.setLegacy('Service', 7);
  expect(access.rights('Service', password)).toBe('Run');
  expect(access.rights('Run', undefined)).toBe('Run');
});

test('switches and passwords of REST are others', async () => {
  const { testDevice, access } = await accessOf('2.4.4');
  await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  expect(access.login(3, hash.AuthorizedClient)).toBeUndefined();
  await testDevice.respond('SetPassword', { siUserLevel: 4, udiNewPassword: 7 });
  expect(access.login(4, hash.Service)).toBeUndefined();
  expect(access.login(4, 7)).toBe('Service');
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
});

test('a login at a disabled level is logged once, the same for a right hash and a wrong one', async () => {
  const logged: unknown[] = [];
  for (const tried of [hash.Maintenance, 1]) {
    const { testDevice, access } = await accessOf('2.4.4');
    for (let count = 0; count < 10; count++) expect(access.login(2, tried)).toBeUndefined();
    expect(testDevice.log.lines).toHaveLength(1);
    logged.push([testDevice.log.lines, { ...access.disabled }, { ...access.failed }]);
  }
  expect(logged[1]).toEqual(logged[0]);
});

test('a failed login is logged, without the hash', async () => {
  const { testDevice, access } = await accessOf('2.4.4');
  access.login(4, 0xabcdef);
  const logged = testDevice.log.lines.at(-1);
  expect(logged).toMatchObject({ severity: 'warn', facts: { userLevel: 'Service', locked: false } });
  expect(JSON.stringify(logged)).not.toMatch(/abcdef|11259375/i);
});

const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

describe('the ports of the legacy interfaces', () => {
  test('are separate', async () => {
    const { device } = await TestDevice.open();
    const write = () => device.write(EtherAuxIPPort, 2112, atService);
    expect(write).toThrow(expect.objectContaining({ code: 6, at: 'EtherAuxIPPort' }));
    expect(device.read(EtherAuxIPPort)).toBe(2111);
  });

  test('can change places in one change', async () => {
    const { device } = await TestDevice.open();
    device.parameters.change((change) => change.set(EtherAuxIPPort, 2112).set(EtherHostIPPort, 2111));
    expect([device.read(EtherAuxIPPort), device.read(EtherHostIPPort)]).toEqual([2112, 2111]);
  });

  test('do not exist below 2.3.1, where other changes pass', async () => {
    const { device } = await TestDevice.open({ release: '2.2.0' });
    expect(device.served.endpoints.has('EtherAuxIPPort')).toBe(false);
    device.parameters.change((change) => change.set(legacyProtocols.members.EtherAuxEnabled, false));
  });
});
