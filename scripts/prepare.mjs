// Installs and builds what is missing, and nothing else: `npm start` and `npm test` work in a fresh clone, and lose
// no time in a prepared one. Nothing but Node's own modules may be imported here.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import nodeVersion from '../packages/cli/bin/node-version.js';
import { run } from './run.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const stamps = join(root, 'node_modules', '.azimuth');

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

/** Brings node_modules and these builds up to date; ends the process where that fails. */
export function prepare(...wanted) {
  const refusal = nodeVersion.refusalOf(process.versions.node);
  if (refusal !== undefined) fail(refusal);
  once('installed', installFingerprint(), 'Installing dependencies', 'npm', [
    'ci',
    '--no-audit',
    '--no-fund',
    // What goes wrong is told, though .npmrc keeps npm silent.
    '--loglevel=notice',
  ]);
  const sources = sourceFingerprint();
  for (const name of wanted) {
    const { what, args, output } = builds[name];
    once(name, sources, what, process.execPath, args, output);
  }
}

function once(name, fingerprint, what, command, args, output = join(root, 'node_modules')) {
  const stamp = join(stamps, name);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  process.stderr.write(`${what} …\n`);
  const status = run(command, args, { stdout: 'stderr' });
  if (status !== 0) fail(`${what} failed.`);
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, fingerprint);
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
