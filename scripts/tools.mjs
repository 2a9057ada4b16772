// npm run build, typecheck, lint, format: runs the programs of others with which this clone is made and checked. They are
// installed first, and run in the clone, wherever they are called.
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

const installed = (...path) => join(root, 'node_modules', ...path);
const tsc = installed('typescript', 'bin', 'tsc');
const vite = installed('vite', 'bin', 'vite.js');
const biome = installed('@biomejs', 'biome', 'bin', 'biome');

const tools = {
  build: [[tsc, '-b'], [join(root, 'scripts', 'bundle.mjs')], [vite, 'build', 'packages/web']],
  typecheck: [
    [tsc, '-b', '.', 'bench'],
    [tsc, '-p', 'tests'],
    [tsc, '-p', 'packages/server/docs-page'],
    [tsc, '-p', 'packages/web'],
  ],
  lint: [[biome, 'ci', '--error-on-warnings', '.']],
  format: [[biome, 'check', '--write', '.']],
};

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(tools, name)) {
  process.stderr.write(`expected one of ${Object.keys(tools).join(', ')}, got "${name}"\n`);
  process.exit(2);
}
prepare();
for (const tool of tools[name]) {
  process.exitCode = run(process.execPath, [...tool, ...args]);
  if (process.exitCode !== 0) break;
}
