// The packages of others whose code is in the packed file: what the bundlers have put into the command, the libraries and the
// GUI. THIRD-PARTY-LICENSES and the SBOM follow from it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve as resolvePath, sep } from 'node:path';
import { programs } from '../packages/cli/bin/program.js';
import { servedPackage } from './packed-package.mjs';
import { root } from './prepare.mjs';

const bundle = dirname(programs);
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/**
 * @param {object | undefined} libraries the bundle of the libraries by rolldown; undefined if they are not packed
 * @returns sorted by name and version: name, version, license, the SHA-512 of the archive in the registry, and the text of the
 * license
 */
export async function bundledPackages(libraries) {
  const files = [
    ...filesOfPrograms(),
    ...(await filesOfGui()),
    ...(libraries === undefined ? [] : await filesOfLibraries(libraries)),
    join(root, 'node_modules', servedPackage, 'package.json'),
  ];
  const folders = new Set(files.flatMap(packageOf));
  const found = [...folders].map(describe);
  return found.sort((one, other) => (one.name + one.version < other.name + other.version ? -1 : 1));
}

/** Source maps of the programs and their libraries name all files. */
function filesOfPrograms() {
  const maps = readdirSync(bundle).filter((file) => file.endsWith('.map'));
  return maps.flatMap((file) => {
    const { sources } = JSON.parse(readFileSync(join(bundle, file), 'utf8'));
    return sources.map((source) => resolvePath(bundle, source));
  });
}

async function filesOfGui() {
  const { build } = await import('vite');
  const { output } = await build({
    root: join(root, 'packages', 'web'),
    logLevel: 'warn',
    build: { write: false, reportCompressedSize: false },
  });
  return modulesIn(output);
}

async function filesOfLibraries(libraries) {
  const { output } = await libraries.generate({ format: 'esm' });
  return modulesIn(output);
}

const modulesIn = (output) => output.flatMap(({ modules = {} }) => Object.keys(modules));

/** The folder of the package that a file belongs to; none for our own files. */
function packageOf(file) {
  const folder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(
    file.replace(/^\0/, ''),
  )?.[1];
  return folder === undefined || !existsSync(join(folder, 'package.json')) ? [] : [folder];
}

function describe(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  // Old packages have a list.
  const license = manifest.license ?? manifest.licenses?.[0]?.type;
  if (license === undefined) throw new Error(`${name} states no license`);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const { integrity = '' } = lock.packages[relative(root, folder).replaceAll(sep, '/')] ?? {};
  const [, digest] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return {
    name,
    version,
    license,
    sha512: digest && Buffer.from(digest, 'base64').toString('hex'),
    text: file ? readFileSync(join(folder, file), 'utf8').trim() : '',
  };
}

/** The licenses of packages, as one text. */
export function licensesOf(found) {
  return found
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
