// Makes packages/cli/bundle: four programs from the sources, the scanner, the client commands, the command that reads, and what
// the completion of shells runs. Each program is one file, without the libraries that few commands use: each of these is a file of its own.
// So a running scanner opens no file of the program, which would fail if connections use all files that the process may
// open. The code that V8 compiled while each program ran is in a second file, which packages/cli/bin/program.js uses to
// start it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { programs } from '../packages/cli/bin/program.js';
import { compile } from './compile.mjs';
import { filesOutside, resolve, transform } from './our-sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages', 'cli', 'src');
const bundle = join(root, 'packages', 'cli', 'bundle');
const launcher = join(root, 'packages', 'cli', 'bin', 'program.js');
/**
 * The bundle is made here first, because programs may be starting from the one that is there. Another process may be making
 * one at the same time, in a folder of its own.
 */
const fresh = mkdtempSync(join(root, 'packages', 'cli', 'bundle-new-'));
const completionTable = join(bundle, 'completion.json');

/** A function that program.js passes to the program imports files of the user, because compiled code cannot import. */
const filesOfUsers = {
  name: 'files-of-users',
  transform(code, file) {
    if (!file.startsWith(join(root, 'packages') + sep) || !code.includes('import(pathToFileURL('))
      return null;
    return { code: code.replaceAll('import(pathToFileURL(', 'importFile(pathToFileURL('), map: null };
  },
};

/**
 * Modules of Node that take 3 MB of memory, and that are used when a scanner has a certificate, or a client connects by
 * TLS. Each of their members loads them when it is read for the first time.
 */
const loadedWhenUsed = ['https', 'tls'];
const virtual = '\0when-used:';
const modulesWhenUsed = {
  name: 'modules-when-used',
  resolveId(name) {
    const builtin = name.replace(/^node:/, '');
    return loadedWhenUsed.includes(builtin) ? `${virtual}${builtin}.cjs` : null;
  },
  load(id) {
    if (!id.startsWith(virtual)) return null;
    const name = id.slice(virtual.length, -'.cjs'.length);
    const members = Object.keys(process.getBuiltinModule(name)).map(
      (member) => `get ${member}() { return process.getBuiltinModule('${name}').${member}; }`,
    );
    return `module.exports = { ${members.join(', ')} };`;
  },
};

/**
 * Libraries in files of their own, which most commands do not use, with the package of ours that depends on each. A module
 * that imports one loads its file when it is loaded itself.
 */
const libraries = {
  mqtt: 'monitor',
  nodemailer: 'monitor',
  pg: 'monitor',
  '@foxglove/rosmsg': 'bridge',
  '@foxglove/rosmsg2-serialization': 'bridge',
  '@foxglove/schemas/jsonschema.js': 'bridge',
  '@foxglove/ws-protocol': 'bridge',
  '@mcap/core': 'bridge',
  fzstd: 'bridge',
};

/** Modules of ours that few commands use: those of a library with several entries, and long texts; by the names of their files. */
const ownLibraries = {
  'mcp-sdk': join(source, 'mcp', 'sdk'),
  'wireshark-lua': join(root, 'packages', 'bridge', 'src', 'wireshark', 'lua', 'pieces'),
};

/** Puts the call that loads a library in place of it. @param files the file of each library, by its name */
const librariesInFiles = (files) => ({
  name: 'libraries-in-files',
  resolveId(name, importer) {
    const library = ownLibrary(name, importer) ?? name;
    return Object.hasOwn(files, library) ? `${virtual}${library}.cjs` : null;
  },
  load(id) {
    const name = id.startsWith(virtual) ? id.slice(virtual.length, -'.cjs'.length) : '';
    return Object.hasOwn(files, name) ? `module.exports = loadLibrary('${files[name]}');` : null;
  },
});

/** Returns the name of our library that a module imports; undefined if it imports something else. */
function ownLibrary(name, importer) {
  if (!name.startsWith('.') || importer === undefined) return undefined;
  const path = join(dirname(importer), name).replace(/\.js$/, '');
  return Object.keys(ownLibraries).find((library) => ownLibraries[library] === path);
}

/**
 * Modules become functions of the `function` kind. Inside another function, V8 parses arrow functions, and functions in
 * parentheses, completely as soon as it compiles the outer one: for all modules of a program, that took 17 MB more at once, which
 * the C library may keep for good.
 */
const modulesAsFunctions = {
  name: 'modules-as-functions',
  renderChunk: (code) => ({
    // Only the ends of lines change, where no source begins: the source map stays as it is.
    code: code
      .replaceAll(/\b__esmMin\(\(\) => \{/g, '__esmMin(function() {')
      .replaceAll(/\b__commonJSMin\(\(\(([^()]*)\) => \{$/gm, '__commonJSMin((0, function($1) {'),
    map: null,
  }),
};

const inputOf = (name) => join(source, `${name}.ts`);

/** Returns the path of a program or a library in the new folder. @param files the file of each library that is not in it */
async function write(name, input, files) {
  const program = await rolldown({
    input: { [name]: input },
    platform: 'node',
    resolve,
    transform,
    plugins: [
      filesOutside(bundle),
      filesOfUsers,
      librariesInFiles(files),
      modulesWhenUsed,
      modulesAsFunctions,
    ],
    // If V8 has to compile a program, it compiles a module when it is loaded, not all of them at once.
    optimization: { pifeForModuleWrappers: false },
    logLevel: 'warn',
  });
  const { output } = await program.write({
    dir: fresh,
    // The file is one function, which programIn calls.
    format: 'cjs',
    postBanner: '(function (exports, require, module, __filename, importFile, loadLibrary) {',
    postFooter: '})',
    // If a source contains other characters, V8 needs twice the memory for it.
    charset: 'ascii',
    // V8 reads the whole source at each start. Names of functions and classes stay, for stack traces.
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    comments: false,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    // Compiled code must never be used with another version of its program, so both names contain a hash of the content.
    entryFileNames: '[name]-[hash].cjs',
    codeSplitting: false,
  });
  await program.close();
  const [{ fileName, code }] = output;
  const arrow = /__(?:esm|commonJS)Min\(\(*[\w$,()]*=>/.exec(code);
  if (arrow !== null) throw new Error(`${name}: a module is an arrow function: ${arrow[0]}`);
  if (/\bimport\(/.test(code))
    throw new Error(`${name}: write import(pathToFileURL(…)): compiled code cannot import`);
  return join(fresh, fileName);
}

/**
 * Compiles what a scanner runs until its first response, in a new folder and in one that is there, and what `azimuth get`
 * runs. V8 compiles a function when it is called for the first time; a function that has never run is not in the code.
 */
async function compileStarts(scanner, commands, reading) {
  const data = mkdtempSync(join(tmpdir(), 'azimuth-bundle-'));
  const ports = ['--port', '--legacy-a-port', '--legacy-b-port', '--search-port'];
  const serve = ['serve', '--json', '--data', data, ...ports.flatMap((port) => [port, '0'])];
  const deviceOf = (ready) => `http://127.0.0.1:${JSON.parse(ready).http}`;
  const get = async (device) => {
    const response = await fetch(`${device}/api/LocationName`);
    if (!response.ok) throw new Error(`the scanner responds with ${response.status}`);
  };
  try {
    await compile(scanner, serve, (ready) => get(deviceOf(ready)));
    await compile(scanner, serve, async (ready) => {
      const device = deviceOf(ready);
      await get(device);
      for (const program of [commands, reading])
        await compile(program, ['get', 'LocationName', '--device', device]);
    });
  } finally {
    rmSync(data, { recursive: true });
  }
}

/** What can be typed, for the completion of shells. */
function writeCompletionTable(commands) {
  const program = `require(${JSON.stringify(launcher)}).programIn(${JSON.stringify(commands)}).run().main(['completion', '--table'])`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the table for completion cannot be made: ${stderr}`);
  writeFileSync(join(fresh, basename(completionTable)), stdout);
  renameSync(join(fresh, basename(completionTable)), completionTable);
}

/** Returns the names of the files of all libraries. */
async function writeLibraries() {
  const files = {};
  for (const [name, owner] of Object.entries(libraries)) {
    const require = createRequire(join(root, 'packages', owner, 'package.json'));
    const fileName = name.replace(/^@/, '').replaceAll('/', '-');
    files[name] = basename(await write(fileName, require.resolve(name), {}));
  }
  for (const [name, path] of Object.entries(ownLibraries))
    files[name] = basename(await write(name, `${path}.ts`, {}));
  return files;
}

async function make() {
  const files = await writeLibraries();
  const scanner = await write('serve-main', inputOf('serve-main'), files);
  const commands = await write('main', inputOf('main'), files);
  const reading = await write('get-main', inputOf('get-main'), files);
  const completing = await write('complete-main', inputOf('complete-main'), files);
  await compileStarts(scanner, commands, reading);
  // The completion reads the table from the bundle.
  writeCompletionTable(commands);
  await compile(completing, ['complete', 'get', '']);
  const names = {
    'serve-main': basename(scanner),
    main: basename(commands),
    'get-main': basename(reading),
    'complete-main': basename(completing),
  };
  writeFileSync(join(fresh, basename(programs)), JSON.stringify(names));
}

/** Moves the new files into the bundle, and removes the old ones. */
function publish() {
  const files = readdirSync(fresh);
  // A program that starts now gets either the old files or the new ones: the file with their names is replaced at once, and last.
  const named = files.filter((file) => file !== basename(programs));
  for (const file of [...named, basename(programs)]) renameSync(join(fresh, file), join(bundle, file));
  const kept = [...files, basename(completionTable)];
  for (const file of readdirSync(bundle))
    if (!kept.includes(file)) rmSync(join(bundle, file), { force: true });
}

mkdirSync(bundle, { recursive: true });
try {
  await make();
  publish();
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
