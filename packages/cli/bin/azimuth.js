#!/usr/bin/env node
// Plain JavaScript and committed: npm links a command at install time, when nothing is built yet.
const args = process.argv.slice(2);

// The limit is looked at before the hundreds of files are opened that the command is made of.
import('../dist/serve/open-files.js')
  .then(async ({ shortageOfFiles }) => {
    const shortage = shortageOfFiles(args);
    if (shortage === undefined) return (await import('../dist/main.js')).main(args);
    process.stderr.write(`azimuth: ${shortage}\n`);
    process.exitCode = 1;
  })
  .catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'azimuth is not built yet: run `npm run build` at the root of the repository first.\n',
    );
    process.exitCode = 70;
  });
