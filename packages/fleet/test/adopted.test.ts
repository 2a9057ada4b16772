import { describe, expect, test } from 'vitest';
import { AllowedAddresses, ForbiddenAddress } from '../src/adopted/allowed-addresses.js';
import { jittered, Turns } from '../src/adopted/turns.js';

const addresses = new AllowedAddresses(() => [{ host: '0.0.0.0', port: 8000 }]);

describe('a fleet sends nothing', () => {
  test.each([
    ['169.254.169.254', 'the settings of machines in clouds'],
    ['169.254.1.1', 'the link'],
    ['100.100.100.200', 'the settings of machines in another cloud'],
    ['0.0.0.0', 'this computer'],
    ['224.0.0.1', 'groups'],
    ['255.255.255.255', 'everybody'],
    ['::', 'this computer'],
    ['fe80::1', 'the link'],
    ['fe80::1%eth0', 'the link, with a zone'],
    ['ff02::1', 'groups'],
    ['fd00:ec2::254', 'the settings of machines in clouds'],
    ['::ffff:169.254.169.254', 'the same in IPv6'],
    ['::ffff:a9fe:a9fe', 'the same in digits of IPv6'],
    ['::a9fe:a9fe', 'the same in an older form'],
    ['::ffff:0:a9fe:a9fe', 'the same for a translator'],
    ['64:ff9b::a9fe:a9fe', 'the same by a translator of the network'],
    ['2002:a9fe:a9fe::1', 'the same by a tunnel'],
  ])('to %s, %s', (address) => {
    expect(() => addresses.check(address, 80)).toThrow(ForbiddenAddress);
  });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('to its own port at %s', (address) => {
    expect(() => addresses.check(address, 8000)).toThrow(/port of the fleet itself/);
    expect(() => addresses.check(address, 8001)).not.toThrow();
  });

  test.each(['http://2852039166/', 'http://0xa9.0xfe.0xa9.0xfe/', 'http://[::ffff:169.254.169.254]/'])(
    'to an address in another form: %s',
    (url) => {
      expect(() => addresses.checkUrl(url)).toThrow(ForbiddenAddress);
    },
  );
});

test.each(['192.168.0.1', '10.0.0.7', '127.0.0.1', '172.16.4.4', 'fd12::1', '2001:db8::1'])(
  'a scanner may be at %s',
  (address) => {
    expect(() => addresses.check(address, 80)).not.toThrow();
  },
);

test('a name is resolved once for a connection, which goes to the address that was checked', async () => {
  const lookup = addresses.lookupFor('http://localhost:8001');
  const found = await new Promise((resolve) =>
    lookup('localhost', { family: 4 }, (error, address) => resolve(error ?? address)),
  );
  expect(found).toBe('127.0.0.1');
  const own = addresses.lookupFor('http://localhost:8000');
  const refused = await new Promise((resolve) =>
    own('localhost', { all: true }, (error) => resolve(error?.message)),
  );
  expect(refused).toMatch(/port of the fleet itself/);
});

test('registrations for events are apart, over all scanners', async () => {
  const turns = new Turns(20);
  const began = performance.now();
  const at: number[] = [];
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const registered = await turns.registration();
      at.push(performance.now() - began);
      registered();
    }),
  );
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(at.at(-1)).toBeGreaterThan(75);
  expect(Math.min(...gaps)).toBeGreaterThan(18);
});

test('at most 32 scanners are asked at the same time', async () => {
  const turns = new Turns(1);
  let [running, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 100 }, () =>
      turns.run(async () => {
        most = Math.max(most, ++running);
        await new Promise((over) => setImmediate(over));
        running--;
      }),
    ),
  );
  expect(most).toBe(32);
});

test('a scanner that nobody wants to ask any more does not wait until others have answered', async () => {
  const turns = new Turns(1);
  const never = new Promise<void>(() => undefined);
  for (let index = 0; index < 32; index++) void turns.run(() => never);
  const asked: string[] = [];
  const removed = new AbortController();
  const ask = async () => void asked.push('removed');
  const waiting = turns.run(ask, removed.signal);
  removed.abort();
  await waiting;
  expect(asked).toEqual([]);
});

test('pauses differ by up to a fifth', () => {
  const pauses = Array.from({ length: 500 }, () => jittered(1000));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(800);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(1200);
  expect(new Set(pauses).size).toBeGreaterThan(400);
});
