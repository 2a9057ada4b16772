import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isObject } from '@azimuth/model';
import { onTestFinished } from 'vitest';
import { Reader } from '../../support/serve-process.js';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/azimuth.js', import.meta.url));

/** `azimuth gui` for these scanners, ended with the test. @returns the URL of its pages */
export async function guiCommand(...urls: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [bin, 'gui', '--port', '0', '--json', ...urls], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const reader = new Reader(child.stdout);
  await reader.until((text) => text.includes('\n'));
  const line: unknown = JSON.parse(reader.text.split('\n')[0] ?? '');
  return isObject(line) ? String(line.url) : '';
}
