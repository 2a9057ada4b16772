import { readFile } from 'node:fs/promises';
import { CommandFailure } from './command-failure.js';

/**
 * A secret out of a file. A line break at its end does not belong to it.
 * @param what names it: `password`
 * @throws CommandFailure where the file cannot be read or is empty.
 */
export async function secretInFile(path: string, what: string): Promise<string> {
  const secret = await readFile(path, 'utf8').then(
    (text) => text.replace(/\r?\n$/, ''),
    (error: Error) => {
      throw new CommandFailure(`the ${what} file cannot be read: ${error.message}`);
    },
  );
  if (secret === '') throw new CommandFailure(`the ${what} file ${path} is empty`);
  return secret;
}
