#!/usr/bin/env node
// Plain JavaScript and committed: npm links a command at install time, when nothing is built yet.
const args = process.argv.slice(2);

const program = args[0] === 'serve' ? import('../bundle/serve-main.js') : import('../bundle/main.js');
program
  .then(({ main }) => main(args))
  .catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'azimuth is not built yet: run `npm run build` at the root of the repository first.\n',
    );
    process.exitCode = 70;
  });
