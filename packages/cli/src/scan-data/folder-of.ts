import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandFailure } from '../command-failure.js';
import { standardOutput } from '../transfers/whole-file.js';

/**
 * Looks whether there is a folder for a file that is to be written: to be asked for before a scanner is.
 * @throws CommandFailure that names the folder that is missing
 */
export async function hasFolder(path: string): Promise<void> {
  if (path === standardOutput) return;
  const folder = dirname(path);
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code);
  if (typeof found === 'object' && found.isDirectory()) return;
  if (typeof found === 'object' || found === 'ENOTDIR') {
    throw new CommandFailure(`${path} cannot be written: ${folder} is no folder`);
  }
  if (found === 'ENOENT') throw new CommandFailure(`${path} cannot be written: there is no folder ${folder}`);
  // Whatever else is wrong is told by the attempt.
}
