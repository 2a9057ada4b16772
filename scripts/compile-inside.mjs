// The process of compile.mjs: node compile-inside.mjs FILE [argument of the program …]
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compiledBeside, programIn, programs } from '../packages/cli/bin/program.js';

const [file, ...args] = process.argv.slice(2);
// It will be moved into the bundle.
const { script, run } = programIn(file, join(dirname(programs), basename(file)));
const { main } = run();
process.once('message', () => {
  writeFileSync(compiledBeside(file), script.createCachedData());
  process.exit();
});
await main(args);
if (process.exitCode) process.exit();
