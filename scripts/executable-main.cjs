// The first code of the executable. Its files have paths below that of the executable itself, where no other file can be: reads of
// them are answered from within. Then the command starts as always. executable.mjs puts __folderOfCommand and
// __importOfUsers in place of what is different there.
const fs = require('node:fs');
const fsPromises = require('node:fs/promises');
const module_ = require('node:module');
const { join, posix, relative, sep } = require('node:path');
const { basename, dirname } = posix;
const { Readable } = require('node:stream');
const sea = require('node:sea');
const { fileURLToPath } = require('node:url');
const vm = require('node:vm');

const root = process.execPath;
const { files, compressed } = JSON.parse(sea.getAsset('files.json', 'utf8'));
globalThis.__folderOfCommand = join(root, 'packages', 'cli', 'bin');

/** The name of an embedded file or folder; undefined for all others. */
function nameOf(path) {
  const text = path instanceof URL || /^file:/.test(String(path)) ? fileURLToPath(path) : String(path);
  return text.startsWith(root + sep) ? relative(root, text).replaceAll(sep, '/') : undefined;
}

function contentOf(name, options) {
  if (!files.includes(name))
    throw Object.assign(new Error(`ENOENT: no such file, open '${name}'`), { code: 'ENOENT' });
  const embedded = Buffer.from(sea.getRawAsset(name));
  const bytes = compressed.includes(name) ? require('node:zlib').inflateRawSync(embedded) : embedded;
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : bytes;
}

/** The files of a folder, without those of folders in it. */
function entriesOf(folder) {
  const names = files.filter((file) => dirname(file) === folder).map((file) => basename(file));
  return names.map((name) => ({ name, isFile: () => true }));
}

/** Replaces a function of Node for the embedded files. */
function embed(module, name, answer) {
  const ofNode = module[name];
  module[name] = (path, ...rest) => {
    const found = nameOf(path);
    return found === undefined ? ofNode.call(module, path, ...rest) : answer(found, ...rest);
  };
}
embed(fs, 'readFileSync', contentOf);
embed(fs, 'createReadStream', (name) => Readable.from([contentOf(name)]));
embed(fsPromises, 'readFile', async (name, options) => contentOf(name, options));
embed(fsPromises, 'readdir', async (name) => entriesOf(name));
embed(module_, 'createRequire', () => ({ resolve: (name) => join(root, 'node_modules', name) }));

/** Files of users, for example a measuring core, are imported from the disk. */
const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
globalThis.__importOfUsers = vm.runInThisContext('(address) => import(address)', { importModuleDynamically });

if (process.argv[2] === 'licenses') process.stdout.write(sea.getAsset('THIRD-PARTY-LICENSES', 'utf8'));
else if (process.argv[2] === 'sbom') process.stdout.write(sea.getAsset('sbom.cdx.json', 'utf8'));
else require('../packages/cli/bin/azimuth.js');
