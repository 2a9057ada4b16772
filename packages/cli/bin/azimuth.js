#!/usr/bin/env node
// Plain JavaScript and committed: npm links a command at install time, when nothing is built yet.
const { mainOf } = require('./program.js');

const args = process.argv.slice(2);
const main = mainOf(args[0] === 'serve' ? 'serve-main' : 'main');
if (main === undefined) {
  process.stderr.write(
    'azimuth is not built yet: run `npm run build` at the root of the repository first.\n',
  );
  process.exitCode = 70;
} else {
  main(args);
}
