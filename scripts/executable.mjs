// npm run executable [-- FILE]: the command `azimuth` as one file with Node in it (a single executable application of Node). The
// default is `azimuth` in the root of the clone. It runs on systems like this one: the program of Node is copied.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { callersFolder, prepare, root } from './prepare.mjs';

const target = resolve(callersFolder(), process.argv[2] ?? join(root, 'azimuth'));
prepare('bundled', 'page');
// What these import is installed now.
const { rolldown } = await import('rolldown');
const { inject } = await import('postject');
const { compiledBeside, programs } = await import('../packages/cli/bin/program.js');
const { bundledPackages, licensesOf } = await import('./bundled-packages.mjs');
const { billOfMaterials } = await import('./bill-of-materials.mjs');
const { servedPackage } = await import('./packed-package.mjs');

const staged = join(root, '.cache', 'executable');
/** Node looks for the program behind these words. */
const sentinel = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const pathOf = (file) => relative(root, file).replaceAll(sep, '/');
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => pathOf(join(entry.parentPath, entry.name)));

/** The file of each program. `azimuth get` runs in that of all commands: a program of its own would take too much room. */
function programsInside() {
  const named = JSON.parse(readFileSync(programs, 'utf8'));
  return { named: { ...named, 'get-main': named.main }, left: named['get-main'].replace(/\.cjs$/, '') };
}

/** The files that programs read, by their paths in the clone. Source maps take too much room. */
function embedded(left) {
  const bundle = pathOf(dirname(programs));
  const served = `node_modules/${servedPackage}`;
  return [
    ...filesIn(bundle).filter((file) => !file.endsWith('.map') && !basename(file).startsWith(left)),
    ...filesIn('packages/web/dist'),
    ...filesIn('packages/simulation/scenes'),
    ...filesIn('packages/server/docs-page').filter((file) => !/\.d\.ts$|tsconfig/.test(file)),
    ...filesIn(served).filter((file) => /\/[^/]+\.js$/.test(file)),
    'packages/cli/package.json',
  ];
}

/** True for a library that few commands load: it has no code that V8 has compiled. */
function isOfFew(file) {
  return file.endsWith('.cjs') && !existsSync(compiledBeside(join(root, file)));
}

/** Compresses a file. Returns the path of the result. */
function compress(file) {
  const made = join(staged, basename(file));
  writeFileSync(made, deflateRawSync(readFileSync(join(root, file)), { level: 9 }));
  return made;
}

/** The program that Node starts: the embedded files, then the command. */
async function writeMain() {
  const main = await rolldown({
    input: join(root, 'scripts', 'executable-main.cjs'),
    platform: 'node',
    logLevel: 'warn',
  });
  const { output } = await main.generate({ format: 'cjs' });
  await main.close();
  // In the executable, these two mean the executable itself.
  const code = output[0].code
    .replaceAll('__dirname', '__folderOfCommand')
    .replaceAll('import(url)', '__importOfUsers(url)');
  writeFileSync(join(staged, 'main.cjs'), code);
}

rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });
await writeMain();
const found = await bundledPackages();
writeFileSync(join(staged, 'THIRD-PARTY-LICENSES'), licensesOf(found));
const bill = billOfMaterials(found, process.versions.node);
writeFileSync(join(staged, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
const { named, left } = programsInside();
writeFileSync(join(staged, 'programs.json'), JSON.stringify(named));
const files = embedded(left);
const compressed = files.filter(isOfFew);
writeFileSync(join(staged, 'files.json'), JSON.stringify({ files, compressed }));
const configuration = {
  main: join(staged, 'main.cjs'),
  output: join(staged, 'program.blob'),
  disableExperimentalSEAWarning: true,
  assets: {
    ...Object.fromEntries(
      files.map((file) => [file, compressed.includes(file) ? compress(file) : join(root, file)]),
    ),
    [pathOf(programs)]: join(staged, 'programs.json'),
    'files.json': join(staged, 'files.json'),
    LICENSE: join(root, 'LICENSE'),
    'THIRD-PARTY-LICENSES': join(staged, 'THIRD-PARTY-LICENSES'),
    'sbom.cdx.json': join(staged, 'sbom.cdx.json'),
  },
};
writeFileSync(join(staged, 'configuration.json'), JSON.stringify(configuration));
const made = spawnSync(process.execPath, ['--experimental-sea-config', join(staged, 'configuration.json')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (made.status !== 0) throw new Error('Node cannot make the program');
mkdirSync(dirname(target), { recursive: true });
// Copied beside it and renamed: the old file may be running.
const fresh = join(dirname(target), `.${basename(target)}-new`);
copyFileSync(process.execPath, fresh);
chmodSync(fresh, 0o755);
await inject(fresh, 'NODE_SEA_BLOB', readFileSync(configuration.output), { sentinelFuse: sentinel });
rmSync(target, { force: true });
renameSync(fresh, target);
process.stdout.write(
  `${relative(process.cwd(), target)} (${(statSync(target).size / 1e6).toFixed(0)} MB, ${(statSync(configuration.output).size / 1e6).toFixed(1)} MB of it are Azimuth)\n`,
);
