import { CommandFailure } from './command-failure.js';
import { askPassword, type Keyboard } from './password-prompt.js';
import { secretInFile } from './secret-file.js';

interface Terminal {
  readonly keyboard: Keyboard;
  readonly screen: NodeJS.WritableStream;
}

/**
 * The new password of a user level: from a file, else from AZIMUTH_NEW_PASSWORD, else typed twice.
 * @throws CommandFailure where there is none of the three, or what is typed differs.
 */
export async function newPasswordOf(
  user: string,
  file: string | undefined,
  terminal: Terminal | undefined,
): Promise<string> {
  if (file !== undefined) return secretInFile(file, 'new password');
  const { AZIMUTH_NEW_PASSWORD: password } = process.env;
  if (password !== undefined && password !== '') return password;
  if (terminal === undefined) {
    throw new CommandFailure(
      'the new password is needed: give --new-password-file or AZIMUTH_NEW_PASSWORD (there is no terminal to ask at)',
    );
  }
  const { keyboard, screen } = terminal;
  const typed = await askPassword(`New password of ${user}: `, keyboard, screen);
  if (typed === '') throw new CommandFailure('the new password is empty; nothing was changed');
  if ((await askPassword('Once more: ', keyboard, screen)) === typed) return typed;
  throw new CommandFailure('the two are not the same; nothing was changed');
}
