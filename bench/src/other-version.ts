import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes/child-program.js';

/** Another commit of this repository, built in a work tree. */
export interface OtherVersion {
  readonly name: string;
  readonly tree: string;
}

/**
 * Checks a commit out into a work tree and builds its bundle there. A tree that was built before is used again.
 * @param reference a commit, a branch or a tag; the last tag if it is left out
 * @throws Error if there is no such commit, or it cannot be built
 */
export function otherVersion(reference: string | undefined, progress: (text: string) => void): OtherVersion {
  const name = reference ?? lastTag();
  const commit = git('rev-parse', '--verify', '--end-of-options', `${name}^{commit}`);
  const tree = join(root, '.cache', `compare-${commit}`);
  if (!isBuilt(tree)) {
    progress(`builds ${name} (${commit.slice(0, 10)}) in ${tree}`);
    rmSync(tree, { recursive: true, force: true });
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', tree, commit);
    const run = (command: string, ...args: readonly string[]) =>
      execFileSync(command, args, { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
    run('npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline');
    run(process.execPath, join('scripts', 'bundle.mjs'));
  }
  return { name, tree };
}

/** The bundler writes this file last. */
function isBuilt(tree: string): boolean {
  return existsSync(join(tree, 'packages', 'cli', 'bundle', 'main.js'));
}

function lastTag(): string {
  try {
    return git('describe', '--tags', '--abbrev=0');
  } catch {
    throw new Error(
      'there is no tag to compare with: name a commit, as in `npm run bench -- compare HEAD~10`',
    );
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
