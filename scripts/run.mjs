import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a program to its end with our terminal. It runs in the clone, wherever it was called. Its own output goes to stderr if
 * stdout belongs to somebody else.
 */
export function run(command, args, { stdout = 'inherit', env = process.env } = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['inherit', stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
    env,
    // Of what is run, only npm is a script there. A shell would take a path with blanks for several words.
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error) throw error;
  return signal ? 1 : (status ?? 1);
}

/** Runs a program in the clone beside others, with its output on stderr. Returns its exit code. */
export async function runAside(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  const [status] = await once(child, 'close');
  return status ?? 1;
}
