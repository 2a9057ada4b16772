import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnavailable } from '@azimuth/fleet/database';
import { issue, keyPem } from '@azimuth/test-support/certificates';
import { temporaryFolder } from '@azimuth/test-support/files';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { expect, onTestFinished, test } from 'vitest';
import { open } from './some-fleet.js';

test('a connection is encrypted, and only to a server whose certificate is the expected one', async () => {
  const cluster = await PostgresCluster.start();
  onTestFinished(() => cluster.remove());
  const authority = issue({ name: 'authority', ca: true });
  const server = issue({ names: ['127.0.0.1'], issuer: authority });
  await cluster.useCertificate(server.certificate, keyPem(server.keys));
  await cluster.stop('fast');
  await cluster.start();
  const folder = temporaryFolder();
  const urlWith = (certificate: string, name: string) => {
    writeFileSync(join(folder, name), certificate);
    return `${cluster.url('postgres')}?sslmode=verify-full&sslrootcert=${join(folder, name)}`;
  };
  const encrypted = {
    name: 'encrypted',
    text: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
  };
  const database = open(urlWith(authority.certificate, 'authority.pem'));
  expect(await database.query(encrypted)).toEqual([{ ssl: true }]);
  await database.close();

  const stranger = open(urlWith(issue({ name: 'stranger', ca: true }).certificate, 'stranger.pem'));
  await expect(stranger.query(encrypted)).rejects.toThrow(DatabaseUnavailable);
  await stranger.close();
});
