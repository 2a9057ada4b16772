import { CommandFailure } from './command-failure.js';
import type { DeviceOptions } from './options.js';
import { askPassword } from './password-prompt.js';
import { secretInFile } from './secret-file.js';

/**
 * The password of a user level: from the file that the options name, else from AZIMUTH_PASSWORD, else from the
 * terminal. A line break at the end of the file does not belong to it.
 * @throws CommandFailure where there is none of the three.
 */
export async function passwordFor(user: string, url: string, options: DeviceOptions): Promise<string> {
  if (options.passwordFile !== undefined) return secretInFile(options.passwordFile, 'password');
  const { AZIMUTH_PASSWORD: password } = process.env;
  if (password !== undefined && password !== '') return password;
  if (process.stdin.isTTY)
    return askPassword(`Password of ${user} at ${url}: `, process.stdin, process.stderr);
  throw new CommandFailure(
    `the password of ${user} is needed: give --password-file or AZIMUTH_PASSWORD (there is no terminal to ask at)`,
  );
}
