// The projects of vitest.config.ts that run together, and how.
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { run } from './run.mjs';

export const quick = ['unit', 'unit-apart', 'sockets'];
export const slow = ['unit-slow', 'sockets-slow'];

/** The projects of each script of package.json that tests. */
export const scripts = {
  test: quick,
  'test:long': [...slow, 'long', 'long-apart', 'long-one-by-one'],
  'test:peers': ['peers', 'peers-one-by-one'],
};

/** Test files at once where most of them wait most of the time, for programs and scanners. */
const whileOthersWait = 3;

/** Runs the tests of some projects. @returns the exit code */
export function runTests(projects, args, variables = {}) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const words = [vitest, 'run', ...projects.map((name) => `--project=${name}`), ...args];
  const mostlyWait = projects === scripts['test:long'] || projects === scripts['test:peers'];
  const workers = mostlyWait ? { AZIMUTH_TEST_WORKERS: String(whileOthersWait) } : {};
  return run(process.execPath, words, { env: { ...workers, ...process.env, ...variables } });
}
