import { spawnSync } from 'node:child_process';
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
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  return signal ? 1 : (status ?? 1);
}
