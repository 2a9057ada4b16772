// npm test [-- vitest arguments]: all tests, from a fresh clone on.
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

prepare('bundled', 'built');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = run(process.execPath, [vitest, 'run', ...process.argv.slice(2)]);
