import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from '../src/confirm.js';

function terminal(typed: string) {
  const input = new PassThrough();
  input.end(typed);
  const screen = new PassThrough();
  return { input, screen };
}

test.each(['y\n', 'Y\n', ' yes \n', 'y'])('goes on with %j', async (typed) => {
  const { input, screen } = terminal(typed);
  await confirm('Replace it?', { input, screen });
  expect(String(screen.read())).toBe('Replace it? [y/N] ');
});

test.each(['n\n', '\n', '', 'yonder\n', 'no, y\n'])('ends with %j', async (typed) => {
  await expect(confirm('Replace it?', terminal(typed))).rejects.toThrow('not confirmed; nothing was changed');
});

test('ends where there is nobody to ask', async () => {
  await expect(confirm('Replace it?', undefined)).rejects.toThrow('give --yes');
});
