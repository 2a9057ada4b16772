// The package that programs outside of this clone install. Its package.json follows from that of the clone, which alone
// states the name, and from those of the packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** package.json of the clone. */
export const own = manifestIn(root);

/** Names of the packages. Git leaves the folder of a package that has gone if something was built in it. */
const names = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
);

/** The packages of the clone, each with its folder from the root on. */
export const packages = names.map((name) => {
  const folder = posix.join('packages', name);
  const manifest = manifestIn(join(root, folder));
  return { name, folder, manifest: manifest.exports ? { ...manifest, exports: built(manifest) } : manifest };
});

/** The exports that programs can import: others have sources only, for the tests in the clone. */
function built({ exports }) {
  const isBuilt = ([, targets]) => Object.keys(targets).some((condition) => condition !== 'source');
  return Object.fromEntries(Object.entries(exports).filter(isBuilt));
}

/**
 * Those that programs import, and those that these need. The command is bundled, with the packages that it alone uses, and the
 * GUI is made of files for browsers.
 */
export const libraries = packages.filter(({ name }) => neededByPrograms().has(name));

function neededByPrograms() {
  const needed = new Set(Object.keys(own.exports).map((exported) => exported.split('/')[1]));
  // A set that grows is walked to its end.
  for (const name of needed) {
    const { manifest } = packages.find((each) => each.name === name) ?? {};
    for (const dependency of Object.keys(manifest?.dependencies ?? {}))
      if (packages.some((each) => each.manifest.name === dependency)) needed.add(dependency.split('/')[1]);
  }
  return needed;
}

/** Cores in another process, to copy. That in C needs the header in `include`. */
export const cores = ['core-c/wall-core.c', 'core-python/wall_core.py'].map((file) =>
  posix.join('examples', file),
);

/** The one package of others from which a scanner reads files: it serves them to browsers. */
export const servedPackage = '@noble/hashes';

/**
 * What programs can import: `client/node` is `./node` of the package `client`. package.json of the clone alone says what is
 * in this list. All other exports of the packages are for each other.
 */
export const publicEntries = Object.keys(own.exports).map((exported) => {
  const name = exported.slice('./'.length);
  const [first, ...rest] = name.split('/');
  const library = libraries.find((each) => each.name === first);
  const path = ['.', ...rest].join('/');
  const targets = library?.manifest.exports[path];
  if (targets === undefined) throw new Error(`package.json exports ${name}, but no package does`);
  return { name, library, path, targets };
});

/**
 * What package.json of the clone exports, so that programs in the clone import the libraries by the same names: what the
 * packages export, with the paths from the root on.
 */
export const cloneExports = () => exportsOf(({ folder }, _, target) => `./${posix.join(folder, target)}`);

/**
 * What a package of several libraries exports.
 * @param place gives the path for a library, a condition and the path in the library
 * @param without conditions that are left out
 */
function exportsOf(place, without = []) {
  return Object.fromEntries(
    publicEntries.map(({ name, library, targets }) => [
      `./${name}`,
      placed(library, targets, place, without),
    ]),
  );
}

function placed(library, targets, place, without) {
  const conditions = Object.entries(targets).filter(([condition]) => !without.includes(condition));
  return Object.fromEntries(
    conditions.map(([condition, target]) => {
      const isPath = typeof target === 'string';
      return [
        condition,
        isPath ? place(library, condition, target) : placed(library, target, place, without),
      ];
    }),
  );
}

/** The file of the packed libraries without its ending, for what tsc builds to `target`. */
export const bundledName = ({ name }, target) =>
  `${name}-${target.replace(/^\.\/dist\/|\.js$/g, '').replaceAll('/', '-')}`;

/** Where the types of a library are in the packed file. */
export const typesPath = ({ name }, target) => posix.join('types', name, target.replace(/^\.\/dist\//, ''));

const packedPath = (library, condition, target) =>
  condition === 'types' ? `./${typesPath(library, target)}` : `./lib/${bundledName(library, target)}.js`;

export function packedManifest(withLibraries) {
  const { name, version, description, keywords, license, type, engines } = own;
  const bins = packages.flatMap(({ folder, manifest }) =>
    Object.entries(manifest.bin ?? {}).map(([command, file]) => [command, posix.join(folder, file)]),
  );
  const imports = libraries.flatMap((library) =>
    Object.entries(library.manifest.imports ?? {}).map(([path, targets]) => [
      path,
      // No types mention them.
      placed(library, targets, packedPath, ['source', 'types']),
    ]),
  );
  const server = packages.find(({ manifest }) => servedPackage in (manifest.dependencies ?? {}));
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    engines,
    bin: Object.fromEntries(bins),
    ...(withLibraries && {
      imports: Object.fromEntries(imports),
      exports: { ...exportsOf(packedPath, ['source']), './package.json': './package.json' },
      peerDependencies: { '@types/node': '>=20' },
      peerDependenciesMeta: { '@types/node': { optional: true } },
    }),
    files: ['lib', 'packages', 'types', 'include', ...cores, 'THIRD-PARTY-LICENSES', 'sbom.cdx.json'],
    dependencies: { [servedPackage]: server.manifest.dependencies[servedPackage] },
    // It is in the packed file, so that this can be installed without a network.
    bundleDependencies: [servedPackage],
  };
}
