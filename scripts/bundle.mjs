// packages/cli/bundle: two programs out of the sources. A scanner is one file, so that nothing is opened
// once it runs, where connections may hold all files that the process may have; the commands of its clients are in
// pieces, so that each loads what it needs.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages', 'cli', 'src');
const bundle = join(root, 'packages', 'cli', 'bundle');
/** Written here first: programs may be starting from the files that stand there. */
const fresh = join(root, 'packages', 'cli', 'bundle-new');

/** Files that stand beside the sources are found from where their module was, not from where it is now. */
const keepPlaces = {
  name: 'keep-places',
  transform(code, file) {
    if (!file.startsWith(join(root, 'packages') + sep) || !code.includes('import.meta.url')) return null;
    const place = relative(bundle, file).replaceAll(sep, '/');
    return {
      code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`),
      map: null,
    };
  },
};

async function write(name, codeSplitting) {
  const program = await rolldown({
    input: { [name]: join(source, `${name}.ts`) },
    platform: 'node',
    // Our packages are taken from their sources. Whether `import` or `require` counts, each place says by itself.
    resolve: {
      conditionNames: ['source', 'node', 'default'],
      // Its other form asks for its parts by names that are computed, which no bundle can hold.
      alias: { 'jsonc-parser': join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js') },
    },
    plugins: [keepPlaces],
    logLevel: 'warn',
  });
  await program.write({
    dir: fresh,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: `${name}-[name]-[hash].js`,
    codeSplitting,
  });
  await program.close();
}

rmSync(fresh, { recursive: true, force: true });
await write('serve-main', false);
await write('main', true);
mkdirSync(bundle, { recursive: true });
const files = new Set(readdirSync(fresh));
for (const file of files) renameSync(join(fresh, file), join(bundle, file));
for (const file of readdirSync(bundle)) if (!files.has(file)) rmSync(join(bundle, file));
rmSync(fresh, { recursive: true });
