import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes/programs.js';

const folder = join(root, 'bench', 'rivals');
const lock = join(folder, 'package-lock.json');
const stamp = join(folder, 'node_modules', '.installed');

/** Prism's program. */
export const prismProgram = join(folder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

/** Installs what is compared with, once; undefined when it is there, else why it is not. */
export function installRivals(progress: (text: string) => void): string | undefined {
  const wanted = readFileSync(lock, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined;
  progress('installing Prism');
  const { status, error, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    // Under npm run, npm's own variables would have it work at the root of the repository.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
    shell: process.platform === 'win32',
  });
  if (error !== undefined) return error.message;
  if (status !== 0) return stderr.trim().split('\n').slice(-3).join(' ');
  writeFileSync(stamp, wanted);
  return undefined;
}
