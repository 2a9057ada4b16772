#!/usr/bin/env node
// Plain JavaScript and committed: npm links a command at install time, when nothing is built yet.
import('../dist/main.js').then(
  ({ main }) => main(process.argv.slice(2)),
  (error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'azimuth is not built yet: run `npm run build` at the root of the repository first.\n',
    );
    process.exitCode = 70;
  },
);
