import { isSea } from 'node:sea';

/**
 * Words that start this program again, in front of those of a command: its file, for Node. The executable with Node in it needs
 * none.
 */
export function ownProgram(): readonly string[] {
  return isSea() ? [] : process.argv.slice(1, 2);
}
