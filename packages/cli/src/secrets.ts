import { readFile } from 'node:fs/promises';
import { CommandFailure, unreadable } from './command-failure.js';
import type { DeviceOptions } from './options.js';
import { askPassword, type Keyboard } from './prompt.js';

/**
 * A secret out of a file. A line break at its end does not belong to it.
 * @param what names it: `password`
 * @throws CommandFailure if the file cannot be read or is empty.
 */
export async function readSecret(path: string, what: string): Promise<string> {
  const secret = await readFile(path, 'utf8').then(
    (text) => text.replace(/\r?\n$/, ''),
    unreadable(`the ${what} file`),
  );
  if (secret === '') throw new CommandFailure(`the ${what} file ${path} is empty`);
  return secret;
}

/**
 * The password of a user level: from the file that the options name, else from AZIMUTH_PASSWORD, else from the
 * terminal. A line break at the end of the file does not belong to it.
 * @throws CommandFailure if none of the three gives one.
 */
export async function passwordFor(user: string, url: string, options: DeviceOptions): Promise<string> {
  if (options.password !== undefined) return options.password;
  if (options.passwordFile !== undefined) return readSecret(options.passwordFile, 'password');
  const { AZIMUTH_PASSWORD: password } = process.env;
  if (password !== undefined && password !== '') return password;
  if (process.stdin.isTTY)
    return askPassword(`Password of ${user} at ${url}: `, process.stdin, process.stderr);
  throw new CommandFailure(
    `the password of ${user} is needed: give --password-file or AZIMUTH_PASSWORD (cannot ask for it without a terminal)`,
  );
}

interface Terminal {
  readonly keyboard: Keyboard;
  readonly screen: NodeJS.WritableStream;
}

/**
 * The new password of a user level: from a file, else from AZIMUTH_NEW_PASSWORD, else typed twice.
 * @throws CommandFailure if none of the three gives one, or the two typed passwords differ.
 */
export async function newPasswordOf(
  user: string,
  file: string | undefined,
  terminal: Terminal | undefined,
): Promise<string> {
  if (file !== undefined) return readSecret(file, 'new password');
  const { AZIMUTH_NEW_PASSWORD: password } = process.env;
  if (password !== undefined && password !== '') return password;
  if (terminal === undefined) {
    throw new CommandFailure(
      'the new password is needed: give --new-password-file or AZIMUTH_NEW_PASSWORD (cannot ask for it without a terminal)',
    );
  }
  const { keyboard, screen } = terminal;
  const typed = await askPassword(`New password of ${user}: `, keyboard, screen);
  if (typed === '') throw new CommandFailure('the new password is empty; nothing was changed');
  if ((await askPassword('Once more: ', keyboard, screen)) === typed) return typed;
  throw new CommandFailure('the two passwords differ; nothing was changed');
}
