import { once } from 'node:events';
import { createServer } from 'node:http';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from '../run.js';

test('a port that another program has is no mistake of the monitor', async () => {
  const folder = temporaryFolder();
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('XDG_STATE_HOME', folder);
  vi.stubEnv('AZIMUTH_DEVICES', '');
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  const { port } = address;
  const { stderr, exitCode } = await azimuth(
    ...['monitor', '--device', 'http://127.0.0.1:9', '--port', `${port}`],
  );
  expect(stderr).toContain(`azimuth: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it`);
  expect(exitCode).toBe(2);
}, 60_000);
