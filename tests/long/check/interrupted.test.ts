import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { service } from '@azimuth/test-support/client';
import { startScanner } from '@azimuth/testing';
import { expect, test } from 'vitest';

const bin = fileURLToPath(new URL(join('..', '..', '..', 'packages/cli/bin/azimuth.js'), import.meta.url));

test('Ctrl-C puts back what azimuth check has written, and says so', async () => {
  await using scanner = await startScanner({ clock: 'real', parameters: { LocationName: 'hall' } });
  const child = spawn(process.execPath, [bin, 'check', scanner.url, '--write', '--only', 'variable.L*'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, AZIMUTH_PASSWORD: service.password },
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const endedFirst = printed.then(([, stderr]) =>
    expect.unreachable(`it ended before it has written: ${stderr}`),
  );
  await Promise.race([scanner.journal.write('LocationName', { timeout: 120_000 }), endedFirst]);
  child.kill('SIGINT');
  const [stdout, stderr, [code]] = await printed;
  expect(stderr).toContain('interrupted: putting back what was changed');
  expect(stdout).toContain('The check was interrupted: the other cases were not run.');
  expect(code).not.toBe(0);
  expect(await scanner.client.read('LocationName')).toBe('hall');
});
