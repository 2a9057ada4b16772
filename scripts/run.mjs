import { spawnSync } from 'node:child_process';

/** Runs a program to its end with our terminal; its own output goes to stderr where stdout belongs to somebody else. */
export function run(command, args, { stdout = 'inherit', env = process.env } = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    stdio: ['inherit', stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
    env,
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  return signal ? 1 : (status ?? 1);
}
