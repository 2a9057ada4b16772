// The process of compile.mjs: node compile-inside.mjs FILE [argument of the program …]
import { writeFileSync } from 'node:fs';
import { compiledBeside, programIn } from '../packages/cli/bin/program.js';

const [file, ...args] = process.argv.slice(2);
const { script, run } = programIn(file);
const { main } = run();
process.once('message', () => {
  writeFileSync(compiledBeside(file), script.createCachedData());
  process.exit();
});
await main(args);
if (process.exitCode) process.exit();
