import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { beforeEach, expect, test, vi } from 'vitest';
import { readNewPassword } from '../src/input/secrets.js';

class Keyboard extends PassThrough {
  setRawMode(): void {}
}

/** A terminal where these lines are typed, one for each question. */
function typing(...lines: readonly string[]) {
  const keyboard = new Keyboard();
  const screen = new PassThrough();
  const left = [...lines];
  screen.on('data', (text) => {
    if (!String(text).endsWith(': ')) return;
    setImmediate(() => keyboard.write(`${left.shift()}\r`));
  });
  return { keyboard, screen };
}

beforeEach(() => {
  vi.stubEnv('AZIMUTH_NEW_PASSWORD', '');
});

test('comes from a file rather than from the environment', async () => {
  vi.stubEnv('AZIMUTH_NEW_PASSWORD', 'from the environment');
  const file = join(temporaryFolder(), 'new');
  writeFileSync(file, 'from the file\n');
  expect(await readNewPassword('Service', file, undefined)).toBe('from the file');
  expect(await readNewPassword('Service', undefined, undefined)).toBe('from the environment');
});

test('is typed twice', async () => {
  expect(await readNewPassword('Service', undefined, typing('secret', 'secret'))).toBe('secret');
});

test.each([
  [['secret', 'secrets'], 'the two passwords differ; nothing was changed'],
  [[''], 'the new password is empty; nothing was changed'],
])('typed as %j is refused', async (lines, message) => {
  await expect(readNewPassword('Service', undefined, typing(...lines))).rejects.toThrow(message);
});

test('that is missing is an error', async () => {
  await expect(readNewPassword('Service', undefined, undefined)).rejects.toThrow('AZIMUTH_NEW_PASSWORD');
});
