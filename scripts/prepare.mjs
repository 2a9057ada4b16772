// Installs and builds what is missing, and nothing else: `npm start` and `npm test` work in a fresh clone, and lose
// no time in a prepared one. Nothing but Node's own modules may be imported here.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import nodeVersion from '../packages/cli/bin/node-version.js';
import { run, runAside } from './run.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamps = join(modules, '.azimuth');

/** What `npm start` needs is made from the sources in a second; tests also take the packages as others import them. */
const builds = {
  bundled: {
    what: 'Bundling',
    args: [join(root, 'scripts', 'bundle.mjs')],
    output: join(root, 'packages', 'cli', 'bundle', 'programs.json'),
  },
  page: {
    what: 'Building the GUI',
    args: [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      join(root, 'packages', 'web'),
      '--logLevel=warn',
    ],
    output: join(root, 'packages', 'web', 'dist', 'index.html'),
  },
  built: {
    what: 'Building',
    args: [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'],
    output: join(root, 'packages', 'cli', 'dist', 'main.js'),
  },
};

/** The folder from which the user has called: npm itself goes to the clone. */
export function callersFolder() {
  const { npm_package_json: manifest, INIT_CWD: caller } = process.env;
  return manifest === join(root, 'package.json') && caller !== undefined ? caller : process.cwd();
}

/** What is installed: all packages, or those that the programs and the page are made of, which are half as many. */
const installations = {
  installed: [],
  'installed for a start': ['-w', 'packages/cli', '-w', 'packages/web'],
};

/** Brings node_modules and these builds up to date; ends the process where that fails. */
export function prepare(...wanted) {
  refuseWrongNode();
  install('installed');
  const sources = sourceFingerprint();
  for (const name of wanted) {
    const { what, args, output } = builds[name];
    if (isCurrent(name, sources, output)) continue;
    begin(what);
    finish(name, sources, what, run(process.execPath, args, { stdout: 'stderr' }));
  }
}

/** Brings what `npm start` needs up to date, with both builds at once; ends the process where that fails. */
export async function prepareToStart() {
  refuseWrongNode();
  install(installationFor(modules));
  const sources = sourceFingerprint();
  const missing = ['bundled', 'page'].filter((name) => !isCurrent(name, sources, builds[name].output));
  await Promise.all(
    missing.map(async (name) => {
      const { what, args } = builds[name];
      begin(what);
      finish(name, sources, what, await runAside(process.execPath, args));
    }),
  );
}

/** What `npm start` installs. Who has all packages, for tests, keeps them, also if `npm ci` has installed them. */
export function installationFor(folder) {
  return existsSync(join(folder, 'vitest')) ? 'installed' : 'installed for a start';
}

function refuseWrongNode() {
  const refusal = nodeVersion.refusalOf(process.versions.node);
  if (refusal !== undefined) fail(refusal);
}

function install(name) {
  const fingerprint = installFingerprint();
  if (isCurrent(name, fingerprint, modules)) return;
  const what = 'Installing dependencies';
  begin(what);
  // What goes wrong is told, though .npmrc keeps npm silent.
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=notice', ...installations[name]];
  finish(name, fingerprint, what, run('npm', args, { stdout: 'stderr' }));
}

/** True if this was done for the same sources, and its result is there. */
function isCurrent(name, fingerprint, output) {
  const stamp = join(stamps, name);
  return existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
}

function begin(what) {
  process.stderr.write(`${what} …\n`);
}

function finish(name, fingerprint, what, status) {
  if (status !== 0) fail(`${what} failed.`);
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), fingerprint);
}

function installFingerprint() {
  return hash([readFileSync(join(root, 'package-lock.json')), process.platform, process.arch]);
}

/** Names, sizes and times of all sources, and what says how they are built: compiled code is for one version of Node. */
function sourceFingerprint() {
  const builders = [
    'tsconfig.base.json',
    'scripts/bundle.mjs',
    'scripts/our-sources.mjs',
    'scripts/compile.mjs',
    'scripts/compile-inside.mjs',
    'packages/cli/bin/program.js',
    'packages/web/index.html',
    'packages/web/vite.config.ts',
  ];
  const facts = [process.version, ...builders.map((name) => String(statSync(join(root, name)).mtimeMs))];
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', name);
    if (!existsSync(join(folder, 'tsconfig.json'))) continue;
    facts.push(name, String(statSync(join(folder, 'tsconfig.json')).mtimeMs));
    collect(join(folder, 'src'), facts);
  }
  return hash(facts);
}

function collect(folder, facts) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collect(path, facts);
    else {
      const { size, mtimeMs } = statSync(path);
      facts.push(`${path} ${size} ${mtimeMs}`);
    }
  }
}

function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\n');
  return sum.digest('hex');
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
