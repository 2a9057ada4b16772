import { fileURLToPath } from 'node:url';

/** The command line of one of our programs. */
export function program(
  name:
    | 'load'
    | 'bare-get'
    | 'bare-post'
    | 'save-inside'
    | 'bare-upload'
    | 'raycast'
    | 'telegram'
    | 'scanners'
    | 'receiver'
    | 'bare-echo'
    | 'bare-events'
    | 'subscribers',
  ...args: readonly string[]
): string[] {
  return [process.execPath, fileURLToPath(new URL(`../programs/${name}.js`, import.meta.url)), ...args];
}

/** The root of the repository: this file is two folders below the cache's own. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));
