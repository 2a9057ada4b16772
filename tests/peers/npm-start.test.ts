import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { object, parse } from '@azimuth/test-support/json';
import { temporaryFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('npm start -- --json prints only its ready line on stdout, also if it builds first', async () => {
  // As after a change of the sources: it is bundled anew, and npm start says so.
  rmSync(join(root, 'node_modules/.azimuth/bundled'), { force: true });
  const inherited = Object.entries(process.env).filter(([name]) => !/^(AZIMUTH_|npm_)/i.test(name));
  const folder = temporaryFolder();
  const flags = ['--json', '--port', '0', '--data', folder, '--no-dns-sd'];
  const npm = spawn('npm', ['start', '--', ...flags], {
    cwd: root,
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const ended = once(npm, 'close');
  onTestFinished(async () => {
    npm.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  let stdout = '';
  let stderr = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await until(() => stdout.includes('"ready"') || npm.exitCode !== null, 120_000);
  npm.kill('SIGTERM');
  await ended;
  expect(stderr).toContain('Bundling …\n');
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(object(parse(stdout)).ready).toBe(true);
});
