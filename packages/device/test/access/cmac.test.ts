import { expect, test } from 'vitest';
import { SeededRandom } from '../../../../tests/support/seeded-random.js';
import { Cmac } from '../../src/access/cmac.js';

test('the MAC of a block is the one of the example for AES-256 in NIST SP 800-38B', () => {
  const key = Buffer.from('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4', 'hex');
  const message = Buffer.from('6bc1bee22e409f96e93d7e117393172a', 'hex');
  expect(new Cmac(key).of(message).toString('hex')).toBe('28a7023f452e8f82bd4bf28d8c37c35c');
});

test.each([
  [1, '3533a04fcc39da895223b7051838bfb1'],
  [2, '760791c2ce7584aea228c202150f3b48'],
])('the MAC is the one of OpenSSL, whether doubling the subkey overflows or not (key %s)', (last, mac) => {
  const key = Buffer.alloc(32);
  key[31] = last;
  expect(new Cmac(key).of(Buffer.from('0123456789abcdef')).toString('hex')).toBe(mac);
});

test('many messages have the MACs that each has alone, whatever the key', () => {
  const random = new SeededRandom();
  for (let turn = 0; turn < 20; turn++) {
    const cmac = new Cmac(random.bytes(32));
    const messages = Array.from({ length: 5 }, () => random.bytes(16));
    expect(cmac.of(Buffer.concat(messages))).toEqual(
      Buffer.concat(messages.map((message) => cmac.of(message))),
    );
  }
});

test('a message of another length is refused', () => {
  expect(() => new Cmac(Buffer.alloc(32)).of(Buffer.alloc(17))).toThrow(RangeError);
});
