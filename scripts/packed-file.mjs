// The file that `npm run pack` makes. It imports packages that prepare.mjs has to install first.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import ts from 'typescript';
import { billOfMaterials } from './bill-of-materials.mjs';
import { bundledPackages, licensesOf } from './bundled-packages.mjs';
import { filesOutside, resolve, transform } from './our-sources.mjs';
import {
  bundledName,
  cores,
  libraries,
  own,
  packages,
  packedManifest,
  publicEntries,
  servedPackage,
  typesPath,
} from './packed-package.mjs';
import { root } from './prepare.mjs';

/** One for each process: tests pack at the same time. */
const staged = join(root, '.cache', `packed-${process.pid}`);
const read = (...path) => readFileSync(join(root, ...path), 'utf8');

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));

function write(path, content) {
  mkdirSync(dirname(join(staged, path)), { recursive: true });
  writeFileSync(join(staged, path), content);
}

/** All strings in a map of conditions, however deep. */
const leaves = (targets) =>
  typeof targets === 'string' ? [targets] : Object.values(targets).flatMap(leaves);

/**
 * The code of all libraries: one file for each export of a package, and files that these share. So a class is the same
 * wherever it is imported from. Programs can import few of these files. The others keep the parts small, so that a program
 * with a `server` loads no more than it needs (1 MB less).
 */
export async function librariesOfPack() {
  const inputs = libraries.flatMap((library) => {
    const { exports, imports = {} } = library.manifest;
    const built = leaves({ exports, imports }).filter((target) => /^\.\/dist\/.*\.js$/.test(target));
    return built.map((target) => [
      bundledName(library, target),
      join(root, library.folder, target.replace('./dist/', './src/').replace(/\.js$/, '.ts')),
    ]);
  });
  return rolldown({
    input: Object.fromEntries(inputs),
    // Node's own platform would leave its `createRequire` in what browsers use.
    platform: 'neutral',
    resolve: { ...resolve, mainFields: ['module', 'main'] },
    transform,
    // `#…`: what differs between Node and browsers is chosen when it is imported.
    external: (name) => name.startsWith('#') || name.startsWith(servedPackage),
    plugins: [
      esmExternalRequirePlugin({ external: [...builtinModules, /^node:/] }),
      filesOutside(join(root, 'lib')),
    ],
    logLevel: 'warn',
  });
}

async function stageCode(code) {
  await code.write({
    dir: join(staged, 'lib'),
    format: 'esm',
    entryFileNames: '[name].js',
    // All in one folder, as files outside of it are found by its place.
    chunkFileNames: 'shared-[name]-[hash].js',
    comments: false,
  });
}

const scope = `${dirname(libraries[0].manifest.name)}/`;

/** Where each library has its types, in the clone and in the packed file, by the name that others import it by. */
const typesOf = new Map(
  libraries.flatMap((library) =>
    Object.entries(library.manifest.exports).map(([path, { types }]) => [
      posix.join(library.manifest.name, path),
      { built: join(root, library.folder, types), packed: typesPath(library, types) },
    ]),
  ),
);

/**
 * The types of what can be imported, and all that these mention. They import each other by paths: outside of the clone,
 * our packages have no names. The few types of other packages are copied, too.
 */
function stageTypes() {
  const waiting = publicEntries.map(({ library, path }) =>
    typesOf.get(posix.join(library.manifest.name, path)),
  );
  const done = new Set();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (done.has(file.packed)) continue;
    done.add(file.packed);
    let content = readFileSync(file.built, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/gm, '');
    // From the end on, so that the places of the others stay.
    for (const { text, pos, end } of modulesNamedIn(content).reverse()) {
      const target = typesNamed(text, file);
      if (target === undefined) continue;
      waiting.push(target);
      const path = posix.relative(posix.dirname(file.packed), target.packed);
      const specifier = (path.startsWith('.') ? path : `./${path}`).replace(/\.d\.(c?)ts$/, '.$1js');
      content = `${content.slice(0, pos)} '${specifier}'${content.slice(end)}`;
    }
    write(file.packed, named(content));
  }
}

/** The names of the modules from which types are imported. */
function modulesNamedIn(content) {
  const found = [];
  const look = (node) => {
    if (ts.isImportTypeNode(node)) found.push(node.argument.literal);
    else if (node.moduleSpecifier) found.push(node.moduleSpecifier);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile('types.d.ts', content, ts.ScriptTarget.Latest));
  return found;
}

/** The types that a file means by a name; undefined for modules of Node. */
function typesNamed(name, user) {
  if (isBuiltin(name)) return undefined;
  if (name.startsWith('.')) {
    const path = name.replace(/\.(c?)js$/, '.d.$1ts');
    return { built: join(dirname(user.built), path), packed: posix.join(posix.dirname(user.packed), path) };
  }
  const ours = typesOf.get(name);
  if (ours !== undefined) return ours;
  const folder = installedFor(name, dirname(user.built));
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const types = String(exports?.['.']?.import).replace(/\.js$/, '.d.ts');
  if (!existsSync(join(folder, types))) throw new Error(`${user.built}: no types of ${name} found`);
  return { built: join(folder, types), packed: posix.join('types', name, types) };
}

/** A text whose comments name the libraries as those outside of the clone do. */
function named(text) {
  return text.replaceAll(scope, `${own.name}/`);
}

/** The command and what it and the libraries read: the GUI, scenes, and the page about the interface. */
function stageFiles() {
  for (const { folder, manifest } of packages) {
    // The GUI is what it was built to.
    const isBuilt = (name) => name === 'dist' && (manifest.exports || manifest.bin);
    for (const name of manifest.files.filter((name) => !isBuilt(name))) stageFolder(posix.join(folder, name));
    // The command reads its version there.
    const { version, type } = manifest;
    if (manifest.bin) write(posix.join(folder, 'package.json'), `${JSON.stringify({ version, type })}\n`);
  }
}

/** Copies a folder, without what only the type checker of the clone reads there. */
function stageFolder(folder) {
  for (const file of filesIn(join(root, folder))) {
    if (file.endsWith('.d.ts') || file === 'tsconfig.json') continue;
    const path = posix.join(folder, file);
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    cpSync(join(root, path), join(staged, path));
    if (file.endsWith('.js')) write(path, named(read(path)));
  }
}

/** The folder of a package as the package in the folder `user` finds it. */
function installedFor(name, user) {
  for (let folder = user; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed`);
  }
}

/** Our packages have no names outside of the clone, so none may be left. */
function check() {
  const strangers = filesIn(staged).filter((file) =>
    readFileSync(join(staged, file), 'latin1').includes(scope),
  );
  if (strangers.length > 0) throw new Error(`${scope} is named in ${strangers.join(', ')}`);
}

/** @param {string} target the folder for the file, absolute */
export async function pack(target, withLibraries) {
  rmSync(staged, { recursive: true, force: true });
  const manifest = packedManifest(withLibraries);
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write('README.md', read('docs', 'package.md'));
  write('LICENSE', read('LICENSE'));
  write('include/azimuth-core.h', read('examples', 'core-c', 'azimuth-core.h'));
  const libraries = withLibraries ? await librariesOfPack() : undefined;
  const bundled = await bundledPackages(libraries);
  write('THIRD-PARTY-LICENSES', licensesOf(bundled));
  write('sbom.cdx.json', `${JSON.stringify(billOfMaterials(bundled), null, 2)}\n`);
  if (libraries !== undefined) {
    await stageCode(libraries);
    stageTypes();
    await libraries.close();
  }
  stageFiles();
  for (const file of cores) write(file, read(file));
  cpSync(join(root, 'node_modules', servedPackage), join(staged, 'node_modules', servedPackage), {
    recursive: true,
  });
  check();
  const npm = spawnSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', target], {
    cwd: staged,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  rmSync(staged, { recursive: true, force: true });
  if (npm.status !== 0) throw new Error('npm pack failed');
  const [{ filename, size, unpackedSize }] = Object.values(JSON.parse(npm.stdout));
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  const path = relative(process.cwd(), join(target, filename));
  process.stdout.write(`${path} (${megabytes(size)}, ${megabytes(unpackedSize)} installed)\n`);
}
