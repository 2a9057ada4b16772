// npm run release -- VERSION|major|minor|patch [FOLDER]: makes a release from a clean clone. It sets the version everywhere,
// dates the changelog, packs the file that users install into FOLDER (`release` otherwise) with its checksum, commits and tags.
// Nothing is pushed. If a step fails, the clone is as before.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callersFolder, prepare, root } from './prepare.mjs';

const usage = 'Usage: npm run release -- VERSION|major|minor|patch [FOLDER]';
const path = (name) => join(root, name);
const read = (name) => readFileSync(path(name), 'utf8');

class Refusal extends Error {}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Refusal(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}

/** The version that a word asks for. */
function versionAfter(current, word) {
  const numbers = current.split('.').map(Number);
  const part = ['major', 'minor', 'patch'].indexOf(word);
  if (part < 0) {
    if (/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(word)) return word;
    throw new Refusal(`expected a version such as 1.2.0, or major, minor or patch, got "${word}"\n${usage}`);
  }
  return numbers.map((number, index) => (index < part ? number : index === part ? number + 1 : 0)).join('.');
}

/** The package.json files of the clone. The version is in each, and in those that name another of our packages. */
function manifests() {
  const { workspaces } = JSON.parse(read('package.json'));
  const folders = workspaces.flatMap((workspace) =>
    workspace.endsWith('/*')
      ? readdirSync(path(workspace.slice(0, -2))).map((name) => `${workspace.slice(0, -1)}${name}`)
      : [workspace],
  );
  return [
    'package.json',
    ...folders.map((folder) => `${folder}/package.json`).filter((file) => existsSync(path(file))),
  ];
}

function setVersion(manifest, ours, version) {
  manifest.version = version;
  for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) {
    for (const name of Object.keys(manifest[kind] ?? {})) if (ours.has(name)) manifest[kind][name] = version;
  }
}

const writeJson = (name, value) => writeFileSync(path(name), `${JSON.stringify(value, null, 2)}\n`);

function setVersions(version) {
  const all = manifests().map((name) => ({ name, manifest: JSON.parse(read(name)) }));
  const ours = new Set(all.map(({ manifest }) => manifest.name));
  for (const { name, manifest } of all) {
    setVersion(manifest, ours, version);
    writeJson(name, manifest);
  }
  const lock = JSON.parse(read('package-lock.json'));
  lock.version = version;
  for (const [place, manifest] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules')) setVersion(manifest, ours, version);
  }
  writeJson('package-lock.json', lock);
}

const unreleased = '\n## Unreleased\n';

/** What is unreleased gets the version and the date. */
function dateChangelog(version) {
  const changelog = read('CHANGELOG.md');
  const [, after] = changelog.split(unreleased);
  if (after === undefined) throw new Refusal('CHANGELOG.md has no section "## Unreleased"');
  if (after.split('\n## ')[0].trim() === '')
    throw new Refusal('CHANGELOG.md says nothing under "## Unreleased"');
  const date = new Date().toISOString().slice(0, 10);
  const dated = changelog.replace(unreleased, `${unreleased}\n## ${version} (${date})\n`);
  writeFileSync(path('CHANGELOG.md'), dated);
}

async function release(word, folder) {
  if (word === undefined) throw new Refusal(usage);
  const { version: current } = JSON.parse(read('package.json'));
  const version = versionAfter(current, word);
  const tag = `v${version}`;
  if (git('status', '--porcelain') !== '') throw new Refusal('the clone has changes that are not committed');
  if (git('tag', '--list', tag) !== '') throw new Refusal(`${tag} is there already`);
  const target = resolve(callersFolder(), folder ?? join(root, 'release'));
  // Ends the process if it fails, so it comes before all changes.
  prepare('bundled', 'page', 'built');
  try {
    setVersions(version);
    dateChangelog(version);
    mkdirSync(target, { recursive: true });
    // Reads the version when it is loaded.
    const { pack } = await import('./packed-file.mjs');
    await pack(target, true);
    const file = `${JSON.parse(read('package.json')).name}-${version}.tgz`;
    if (!existsSync(join(target, file))) throw new Error(`${file} was not made`);
    const sum = createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex');
    writeFileSync(join(target, 'SHA256SUMS'), `${sum}  ${file}\n`);
    git('commit', '--quiet', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', tag, '--message', `Release ${version}`);
  } catch (error) {
    git('checkout', '--quiet', '--', '.');
    throw error;
  }
  process.stdout.write(`Released ${version} in ${target}. To publish it: git push --follow-tags\n`);
}

const [word, folder] = process.argv.slice(2);
await release(word, folder).catch((error) => {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
