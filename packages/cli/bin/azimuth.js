#!/usr/bin/env node
// Plain JavaScript and committed: npm links a command at install time, when nothing is built yet.
const refusal = require('./node-version.js').refusalOf(process.versions.node);
if (refusal !== undefined) {
  process.stderr.write(`azimuth: ${refusal}\n`);
  process.exit(70);
}
// Only now: older versions cannot even read it.
const { mainOf } = require('./program.js');

const args = process.argv.slice(2);
// Each of these commands has a program of its own, which starts sooner than that of all commands.
const programs = { serve: 'serve-main', complete: 'complete-main', get: 'get-main' };
const main = mainOf(Object.hasOwn(programs, args[0]) ? programs[args[0]] : 'main');
if (main === undefined) {
  process.stderr.write(
    'azimuth is not built yet: run `npm run build` at the root of the repository first.\n',
  );
  process.exitCode = 70;
} else {
  main(args);
}
