import { expect, test } from 'vitest';
import { statusOf } from '../independent/client.js';
import { Bench } from '../independent/scanner-process.js';
import { until } from '../independent/until.js';
import { open } from './wire.js';

test('where few files may be open, fewer connections are, and a flood of half-open ones keeps nobody out', async () => {
  const scanner = await new Bench().start([], { launcher: ['prlimit', '--nofile=256:256'] });
  await until('the warning', () => scanner.log.includes('too few files open'));
  expect(scanner.log).toContain('"wanted":1024,"connections":72');
  await Promise.all(Array.from({ length: 400 }, () => open(Number(scanner.httpPort))));
  const client = scanner.client();
  expect(await client.value('LocationName')).toBe('not defined');
  expect(statusOf(await client.call('WriteEeprom'))).toBe(0);
});
