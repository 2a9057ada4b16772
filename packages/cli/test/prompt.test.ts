import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { askPassword, confirm, confirmLoss } from '../src/input/prompt.js';

function terminal(typed: string) {
  const input = new PassThrough();
  input.end(typed);
  const screen = new PassThrough();
  return { input, screen };
}

test.each(['y\n', 'Y\n', ' yes \n', 'y'])('continues with %j', async (typed) => {
  const { input, screen } = terminal(typed);
  await confirm('Replace it?', { input, screen });
  expect(String(screen.read())).toBe('Replace it? [y/N] ');
});

test.each(['n\n', '\n', '', 'yonder\n', 'no, y\n'])('ends with %j', async (typed) => {
  await expect(confirm('Replace it?', terminal(typed))).rejects.toThrow('not confirmed; nothing was changed');
});

test('ends without a terminal', async () => {
  await expect(confirm('Replace it?', undefined)).rejects.toThrow('give --yes');
});

describe('before data is lost', () => {
  const what = 'SoftReset at http://x loses all changes that are not stored, for good';

  test('the question says what is lost, and "no" ends the command', async () => {
    const { input, screen } = terminal('n\n');
    await expect(confirmLoss(what, 'Call it?', {}, { input, screen })).rejects.toThrow(
      'not confirmed; nothing was changed',
    );
    expect(String(screen.read())).toBe(`${what}. Call it? [y/N] `);
  });

  test('"yes" goes on', async () => {
    await expect(confirmLoss(what, 'Call it?', {}, terminal('y\n'))).resolves.toBeUndefined();
  });

  test('nobody is asked with --yes', async () => {
    const { input, screen } = terminal('n\n');
    await confirmLoss(what, 'Call it?', { yes: true }, { input, screen });
    expect(screen.read()).toBeNull();
    await confirmLoss(what, 'Call it?', { yes: true }, undefined);
  });
});

class FakeKeyboard extends PassThrough {
  readonly modes: boolean[] = [];

  setRawMode(raw: boolean): void {
    this.modes.push(raw);
  }
}

let keyboard: FakeKeyboard;
let screen: PassThrough;

beforeEach(() => {
  keyboard = new FakeKeyboard();
  screen = new PassThrough({ encoding: 'utf8' });
});

const shown = () => String(screen.read());

test.each([
  ['typed at once', ['secret\r']],
  ['key by key', [...'secret', '\n']],
  ['corrected', ['sx\u007fecrxy\b\u007fet\r']],
  ['begun anew', ['wrong\u0015secret\r']],
  ['with keys that write nothing', ['sec', '\u001b[A', '\u0001', 'ret', '\r']],
])('a password %s is never shown', async (_, keys) => {
  const asked = askPassword('Password: ', keyboard, screen);
  for (const key of keys) keyboard.write(key);
  expect(await asked).toBe('secret');
  expect(shown()).toBe('Password: \n');
  expect(keyboard.modes).toEqual([true, false]);
});

test('letters beyond ASCII are read and deleted as a whole', async () => {
  const asked = askPassword('', keyboard, screen);
  keyboard.write('p\u00e4\u{1f511}\u007fss\r');
  expect(await asked).toBe('p\u00e4ss');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s cancels, and restores the terminal', async (_, key) => {
  const asked = askPassword('Password: ', keyboard, screen);
  keyboard.write(`sec${key}`);
  await expect(asked).rejects.toThrow('no password was given');
  expect(shown()).toBe('Password: \n');
  expect(keyboard.modes).toEqual([true, false]);
});

test('the end of the input cancels', async () => {
  const asked = askPassword('Password: ', keyboard, screen);
  keyboard.end('sec');
  await expect(asked).rejects.toThrow('no password was given');
});
