// The process of compile.mjs: node compile-inside.mjs FILE [argument of the program …]
import { renameSync, writeFileSync } from 'node:fs';
import { compiledBeside, programIn } from '../packages/cli/bin/program.js';

const [file, ...args] = process.argv.slice(2);
const { script, run } = programIn(file);
const { main } = run();
process.once('message', () => {
  const compiled = compiledBeside(file);
  // A program that is starting gets the old code or the new one, never a part.
  writeFileSync(`${compiled}-new`, script.createCachedData());
  renameSync(`${compiled}-new`, compiled);
  process.exit();
});
await main(args);
if (process.exitCode) process.exit();
