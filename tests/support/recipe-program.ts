import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const root = fileURLToPath(new URL('../..', import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of somebody who has nothing to do with this project. */
export const plainEnvironment: Environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(AZIMUTH|NODE|VITEST|GITHUB|npm)(_|$)/.test(name)),
);

/** Runs a program with `azimuth` of this clone on the PATH. */
export const withAzimuth: Environment = {
  ...plainEnvironment,
  PATH: [join(root, 'node_modules', '.bin'), plainEnvironment.PATH].join(delimiter),
};

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-recipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Outcome {
  readonly code: number | null;
  /** Output on both streams. */
  readonly output: string;
}

/** Runs a program to its end. */
export async function run(
  [program = '', ...words]: readonly string[],
  cwd: string,
  env: Environment = withAzimuth,
): Promise<Outcome> {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output: `${stdout}${stderr}` };
}

/** Ends a process. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
