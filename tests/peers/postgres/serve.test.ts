import { once } from 'node:events';
import { Scanner } from '@azimuth/client';
import { azimuth } from '@azimuth/test-support/command-process';
import { number, object, parse } from '@azimuth/test-support/json';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { ended, Reader, serve } from '@azimuth/test-support/serve-process';
import { afterAll, beforeAll, expect, test } from 'vitest';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

const key = 'a key of the deployment';

/** `azimuth serve --store` with the serial number 23450007. */
async function serving(env: Readonly<Record<string, string>>) {
  const child = serve({
    flags: ['--json', '--no-dns-sd', '--search-port', '0', '--serial', '23450007', '--lease', '10'],
    env,
  });
  const log = new Reader(child.stderr);
  const reader = new Reader(child.stdout);
  await reader.until((text) => text.includes('\n'));
  const { http } = object(parse(reader.text));
  const scanner = new Scanner({ url: `http://127.0.0.1:${number(http)}`, password: 'servicelevel' });
  return { child, scanner, log };
}

test('a single scanner stores in a database, and only one process runs it', async () => {
  const url = await cluster.database();
  const env = { AZIMUTH_STORE: url, AZIMUTH_FLEET_KEY: key };
  expect((await azimuth(['fleet', 'migrate'], undefined, env)).code).toBe(0);
  const one = await serving(env);
  await one.scanner.write('LocationName', 'in a database');
  await one.scanner.call('WriteEeprom');
  expect(await one.scanner.read('PowerOnCnt')).toBe(1);
  const second = await ended(serve({ flags: ['--serial', '23450007'], env }));
  expect(second.stderr).toContain('The scanner 23450007 is run by');
  expect(second.exitCode).toBe(1);
  one.child.kill('SIGTERM');
  expect(await once(one.child, 'exit')).toEqual([0, null]);
  const next = await serving(env);
  expect(await next.scanner.read('LocationName')).toBe('in a database');
  expect(await next.scanner.read('PowerOnCnt')).toBe(2);
  // Somebody else takes the lease, as after a pause that was too long.
  const row = new URL(url).pathname.slice(1);
  await cluster.sql(`UPDATE azimuth.shards SET owner = 'other', epoch = epoch + 1`, row);
  await expect(next.scanner.call('WriteEeprom')).rejects.toThrow('another process runs this scanner');
  expect(await once(next.child, 'exit')).toEqual([1, null]);
  expect(next.log.text).toContain('another process has its lease');
});

test('a folder and a database, or a database without the key, are wrong usage', async () => {
  const both = await ended(serve({ flags: ['--data', 'x', '--store', 'postgres://127.0.0.1:1/x'] }));
  expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--store and --data') });
  const keyless = await ended(serve({ flags: ['--store', 'postgres://127.0.0.1:1/x'] }));
  expect(keyless).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('AZIMUTH_FLEET_KEY') });
});
