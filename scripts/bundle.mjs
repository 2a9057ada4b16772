// Makes packages/cli/bundle: two programs from the sources, the scanner and the client commands. Each program is one file.
// So a running scanner opens no file of the program, which would fail if connections use all files that the process may
// open. The code that V8 compiled from each program is in a second file, which packages/cli/bin/program.js uses to start it.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { compiledBeside, programIn } from '../packages/cli/bin/program.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages', 'cli', 'src');
const bundle = join(root, 'packages', 'cli', 'bundle');
/** Files are written here first, because programs may be starting from those in the bundle. */
const fresh = join(root, 'packages', 'cli', 'bundle-new');

/**
 * Modules find files next to their source by the place of the source, not by that of the bundle. A function that
 * program.js passes to the program imports files of the user, because compiled code cannot import.
 */
const filesOutside = {
  name: 'files-outside',
  transform(code, file) {
    if (!file.startsWith(join(root, 'packages') + sep)) return null;
    if (!code.includes('import.meta.url') && !code.includes('import(pathToFileURL(')) return null;
    const place = relative(bundle, file).replaceAll(sep, '/');
    return {
      code: code
        .replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`)
        .replaceAll('import(pathToFileURL(', 'importFile(pathToFileURL('),
      map: null,
    };
  },
};

async function write(name) {
  const program = await rolldown({
    input: { [name]: join(source, `${name}.ts`) },
    platform: 'node',
    // `source`: our packages are bundled from their sources. Rolldown adds `import` or `require` as each place needs it.
    resolve: {
      conditionNames: ['source', 'node', 'default'],
      // Its CommonJS form requires its parts by computed names, which cannot be bundled.
      alias: { 'jsonc-parser': join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js') },
    },
    plugins: [filesOutside],
    logLevel: 'warn',
  });
  const { output } = await program.write({
    dir: fresh,
    // The file is one function, which programIn calls.
    format: 'cjs',
    postBanner: '(function (exports, require, module, __filename, importFile) {',
    postFooter: '})',
    // If a source contains other characters, V8 needs twice the memory for it.
    charset: 'ascii',
    comments: false,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    // Compiled code must never be used with another version of its program, so both names contain a hash of the content.
    entryFileNames: '[name]-[hash].cjs',
    codeSplitting: false,
  });
  await program.close();
  for (const { fileName } of output) renameSync(join(fresh, fileName), join(bundle, fileName));
  const [{ fileName, code }] = output;
  if (/\bimport\(/.test(code))
    throw new Error(`${name}: write import(pathToFileURL(…)): compiled code cannot import`);
  const file = join(bundle, fileName);
  const compiled = compiledBeside(file);
  const { script, run } = programIn(file);
  run();
  replace(compiled, script.createCachedData());
  replace(
    join(bundle, `${name}.js`),
    `import { programIn } from '../bin/program.js';

export const { main } = programIn(new URL('${fileName}', import.meta.url)).run();
`,
  );
  return [`${name}.js`, fileName, `${fileName}.map`, basename(compiled)];
}

/** Replaces a file at once: a reader gets either the old content or the new content, never a part. */
function replace(file, content) {
  const written = join(fresh, basename(file));
  writeFileSync(written, content);
  renameSync(written, file);
}

mkdirSync(bundle, { recursive: true });
const files = [...(await write('serve-main')), ...(await write('main'))];
for (const file of readdirSync(bundle)) if (!files.includes(file)) rmSync(join(bundle, file));
rmSync(fresh, { recursive: true });
