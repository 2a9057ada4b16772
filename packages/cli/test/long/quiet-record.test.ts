import { statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { freeUdpPort } from '@azimuth/test-support/free-port';
import { expect, test } from 'vitest';
import { azimuth } from '../run.js';
import { sendTo } from '../scan-data/sender.js';

test('a recording that receives nothing says where it waits, and goes on', async () => {
  const port = await freeUdpPort();
  const file = join(temporaryFolder(), 'late.azrec');
  const recording = azimuth('record', file, '--listen', String(port), '--host', '127.0.0.1', '--frames', '1');
  const begin = performance.now();
  await sendTo(() => (performance.now() - begin > 13_000 ? port : undefined));
  const { stderr, exitCode } = await recording;
  expect(stderr).toContain(`nothing has come for 10 s. Still waiting at UDP port ${port}`);
  expect(exitCode).toBe(0);
  expect(statSync(file).size).toBeGreaterThan(100);
});
