import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from './bounded-file.js';
import { askPassword, type Keyboard } from './prompt.js';

/**
 * Reads a secret from a file, without the line break at its end.
 * @param what its name in messages: `password`
 * @throws CommandFailure if the file cannot be read or is empty.
 */
export async function readSecret(path: string, what: string): Promise<string> {
  const text = await readTextFile(path, { limit: maxFileBytes.secret, name: `the ${what} file ${path}` });
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new CommandFailure(`the ${what} file ${path} is empty`);
  return secret;
}

interface Terminal {
  readonly keyboard: Keyboard;
  readonly screen: NodeJS.WritableStream;
}

const maxPassphraseBytes = 256;

/** Returns the passphrase of a backup file; undefined if it has none. @throws CommandFailure */
export async function backupPassphrase({
  passphraseFile,
}: {
  readonly passphraseFile?: string;
}): Promise<string | undefined> {
  const passphrase =
    passphraseFile === undefined
      ? process.env.AZIMUTH_PASSPHRASE || undefined
      : await readSecret(passphraseFile, 'passphrase');
  if (passphrase !== undefined && [...passphrase].length > maxPassphraseBytes) {
    throw new CommandFailure(`a passphrase has at most ${maxPassphraseBytes} characters`);
  }
  return passphrase;
}

/**
 * Reads the new password of a user level: from a file, else from AZIMUTH_NEW_PASSWORD, else typed twice.
 * @throws CommandFailure if none of the three gives one, or the two typed passwords differ.
 */
export async function readNewPassword(
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
