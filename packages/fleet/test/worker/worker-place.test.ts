import { expect, test } from 'vitest';
import { placeOf } from '../../src/worker/index.js';

test('a place is the same for the same socket on this machine, and another one for any other', async () => {
  const socket = { url: 'http://10.0.0.7:9000', address: '0.0.0.0', port: 9000 };
  const place = await placeOf(socket);
  // Elsewhere, nobody knows.
  if (process.platform !== 'linux') return expect(place).toBeUndefined();
  expect(place).toMatch(/^[0-9a-f]{16}$/);
  expect(await placeOf({ ...socket })).toBe(place);
  const others = [
    { ...socket, url: 'http://10.0.0.8:9000' },
    { ...socket, address: '10.0.0.7' },
    { ...socket, port: 9001 },
  ];
  const places = await Promise.all(others.map((other) => placeOf(other)));
  expect(new Set([place, ...places]).size).toBe(4);
});
