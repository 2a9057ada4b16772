// npm run bench [-- options]: measures, from a fresh clone on. `-- --help` tells the options.
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

prepare('bundled', 'built');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const status = run(process.execPath, [tsc, '-b', join(root, 'bench')], { stdout: 'stderr' });
if (status !== 0) process.exit(status);

await import('../.cache/bench/main.js');
