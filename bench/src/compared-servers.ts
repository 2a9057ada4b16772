import { join } from 'node:path';
import type { Bench } from './measurement.js';
import { program, root } from './processes/child-program.js';
import { Server } from './processes/server.js';

/** The variable that is read and written. Its response is short, like most. */
export const variable = 'LocationName';
export const variablePath = `/api/${variable}`;

export const ours = 'azimuth serve';
export const bare = 'bare node:http';

/** A scanner in a process of its own. `name`: its data folder. `tree`: the folder of the repository that it runs from. */
export function startScanner(
  bench: Bench,
  name: string,
  flags: readonly string[] = [],
  tree = root,
): Promise<Server> {
  const command = join(tree, 'packages', 'cli', 'bin', 'azimuth.js');
  const data = join(bench.folder, name);
  return Server.start(bench, {
    name: ours,
    command: (port) => [
      process.execPath,
      command,
      'serve',
      '--json',
      '--port',
      String(port),
      '--legacy-a-port',
      '0',
      '--legacy-b-port',
      '0',
      '--data',
      data,
      ...flags,
    ],
    path: variablePath,
  });
}

export function startBareGet(bench: Bench, body: string): Promise<Server> {
  return Server.start(bench, {
    name: bare,
    command: (port) => program('bare-get', String(port), body),
    path: variablePath,
  });
}

/** With `save`, each POST writes the bytes of a file to a folder. */
export function startBarePost(
  bench: Bench,
  save?: { readonly file: string; readonly folder: string },
): Promise<Server> {
  const args = save === undefined ? [] : [save.file, save.folder];
  return Server.start(bench, {
    name: bare,
    command: (port) => program('bare-post', String(port), ...args),
    path: '/',
  });
}
