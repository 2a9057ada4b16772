// npm test [-- vitest arguments]: what needs nothing but Node, in minutes, from a fresh clone on.
// npm run test:long [-- vitest arguments]: campaigns in a short form.
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

const args = process.argv.slice(2);
const isStated = args.some((arg) => arg.startsWith('--project'));
const projects = isStated ? [] : ['unit', 'unit-apart', 'sockets'].map((name) => `--project=${name}`);
prepare('bundled', 'page', 'built');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = run(process.execPath, [vitest, 'run', ...projects, ...args]);
