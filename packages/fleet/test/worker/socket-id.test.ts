import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { socketIdOf } from '../../src/worker/index.js';

test('a place is the same for the same socket on this machine, and another one for any other', async () => {
  const socket = { url: 'http://10.0.0.7:9000', address: '0.0.0.0', port: 9000 };
  const place = await socketIdOf(socket);
  // On other systems it is unknown.
  if (process.platform !== 'linux') return expect(place).toBeUndefined();
  expect(place).toMatch(/^[0-9a-f]{16}$/);
  expect(await socketIdOf({ ...socket })).toBe(place);
  const others = [
    { ...socket, url: 'http://10.0.0.8:9000' },
    { ...socket, address: '10.0.0.7' },
    { ...socket, port: 9001 },
  ];
  const places = await Promise.all(others.map((other) => socketIdOf(other)));
  expect(new Set([place, ...places]).size).toBe(4);
});

test('a place is another one in another network of the machine, as that of another pod, and after a start of the machine', async () => {
  const socket = { url: 'http://worker:9000', address: '0.0.0.0', port: 9000 };
  const on = (boot: string, network: string) => {
    const folder = temporaryFolder();
    const [bootFile, networkLink] = [join(folder, 'boot_id'), join(folder, 'net')];
    writeFileSync(bootFile, `${boot}\n`);
    symlinkSync(network, networkLink);
    return socketIdOf(socket, { bootFile, networkLink });
  };
  const place = await on('first', 'net:[1]');
  expect(place).toMatch(/^[0-9a-f]{16}$/);
  expect(await on('first', 'net:[1]')).toBe(place);
  expect(await on('first', 'net:[2]')).not.toBe(place);
  expect(await on('second', 'net:[1]')).not.toBe(place);
});
