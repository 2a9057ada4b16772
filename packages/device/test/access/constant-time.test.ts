import type * as Crypto from 'node:crypto';
import { factoryPassword, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test, vi } from 'vitest';

/** Hashed and compared values, each with its length. */
const work = vi.hoisted((): string[] => []);

// The real hashes and the real comparison. Their arguments are recorded.
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  const timingSafeEqual = (a: Uint8Array, b: Uint8Array) => {
    work.push(`compared ${a.length}`);
    return crypto.timingSafeEqual(a, b);
  };
  const hash = (algorithm: string, data: string) => {
    work.push(`${algorithm} ${data.length}`);
    return crypto.hash(algorithm, data);
  };
  const createHash = (algorithm: string) => {
    work.push(algorithm);
    return crypto.createHash(algorithm);
  };
  const createHmac = (algorithm: string, key: Uint8Array) => {
    work.push(`hmac ${algorithm}`);
    return crypto.createHmac(algorithm, key);
  };
  return { ...crypto, timingSafeEqual, hash, createHash, createHmac };
});

test.each([
  ['all is right', {}],
  ['the user is wrong', { user: 'Maintenance' }],
  ['the realm is wrong', { realm: 'another' }],
  ['opaque is wrong', { opaque: '0'.repeat(64) }],
  ['the response is wrong', { response: '0'.repeat(64) }],
  ['everything is wrong', { user: '', realm: '', opaque: '0'.repeat(64), response: '0'.repeat(64) }],
])('opaque and response are compared in constant time, both of them together, where %s', async (_, wrong) => {
  const testDevice = await TestDevice.open();
  const header = { ...testDevice.header('checkCredentials'), ...wrong };
  work.length = 0;
  const attempt = () => testDevice.device.access.authenticate(header, 'checkCredentials');
  if (Object.keys(wrong).length === 0) attempt();
  else expect(attempt).toThrow();
  expect(work.filter((step) => step.startsWith('compared'))).toEqual(['compared 128']);
});

test.each(['opaque', 'response'] as const)(
  'a character of %s counts as a whole, not only its lowest byte',
  async (member) => {
    const testDevice = await TestDevice.open();
    const header = testDevice.header('checkCredentials');
    const [first = ''] = header[member];
    const similar = String.fromCharCode(first.charCodeAt(0) + 256) + header[member].slice(1);
    const attempt = () =>
      testDevice.device.access.authenticate({ ...header, [member]: similar }, 'checkCredentials');
    expect(attempt).toThrow();
  },
);

/** One login attempt at a level with a password. Only the work of the device is recorded. */
const ways: Readonly<Record<string, (testDevice: TestDevice, password: string) => () => unknown>> = {
  REST: (testDevice, password) => {
    const header = testDevice.header('checkCredentials', 'Maintenance', password);
    return () => testDevice.device.access.authenticate(header, 'checkCredentials');
  },
  'HTTP Basic': (testDevice, password) => () =>
    testDevice.device.access.authenticatePassword('Maintenance', [password], 'CreateSessionToken'),
  'the legacy protocol': (testDevice, password) => {
    const { access } = testDevice.device.features.legacyInterfaces;
    const hash = password === factoryPassword.Maintenance ? 0xb21ace26 : 0xb21ace27;
    return () => access.login(2, hash);
  },
};

test.each(Object.entries(ways))(
  'over %s a disabled level takes the work of an enabled one',
  async (_, ready) => {
    const done = [];
    for (const isEnabled of [false, true]) {
      for (const password of [factoryPassword.Maintenance, 'niam']) {
        const testDevice = await TestDevice.open();
        await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled });
        await testDevice.respond('EnableLegacyUserLevel', { userLevel: 2, isEnabled });
        const attempt = ready(testDevice, password);
        work.length = 0;
        try {
          attempt();
        } catch {
          // The attempt is refused. The work before the refusal counts.
        }
        done.push([...work]);
      }
    }
    expect(done[0]).toContainEqual(expect.stringMatching(/^compared/));
    expect(done).toEqual([done[0], done[0], done[0], done[0]]);
  },
);
