// Starts the programs of the bundle, which scripts/bundle.mjs makes. It is plain JavaScript, so it runs without a build.
// The files of this folder are CommonJS, because Node takes several milliseconds more to start a program of ES modules.
const { closeSync, openSync, readFileSync, readSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const bundle = join(__dirname, '..', 'bundle');
/** The file of each program by its name, as JSON. */
const programs = join(bundle, 'programs.json');

/**
 * The function that runs a program of the bundle with the arguments of a command line. undefined if there is no bundle.
 * @param name name of the program, for example `serve-main`
 */
function mainOf(name) {
  const names = contentOf(programs);
  return names && programIn(join(bundle, JSON.parse(names)[name])).run().main;
}

/** The file with the code that this version of V8 compiled from a program when it was bundled. */
function compiledBeside(program) {
  const [version] = process.versions.v8.split('-');
  return program.replace(/\.cjs$/, `.v8-${version}.compiled`);
}

/**
 * A program of the bundle. With its compiled code, V8 does not have to parse it. If the bundle was made with another
 * version of Node, there is no such code, and with other options of V8, V8 refuses it: then V8 compiles the program again.
 * @param file path of the program. It is one function like that of a CommonJS module, with two more arguments: a function
 * that imports files, and one that loads a library of the bundle by the name of its file
 * @param filename path in stack traces. Compiled code keeps it, also if the file is moved later
 */
function programIn(file, filename = file) {
  const cachedData = contentOf(compiledBeside(file));
  const source = cachedData === undefined ? readInPieces(file) : readFileSync(file, 'latin1');
  const script = new Script(source, { filename, cachedData });
  showSources(file);
  const run = () => {
    const module = { exports: {} };
    const importFile = (url) => import(url);
    const loadLibrary = (name) => programIn(join(dirname(file), name)).run();
    script.runInThisContext()(module.exports, require, module, file, importFile, loadLibrary);
    return module.exports;
  };
  return { script, run };
}

/**
 * The text of a file. After a piece of memory of 2 MB was given back, the C library keeps up to 4 MB of what V8 needs to
 * compile a program; after small pieces, it does not.
 */
function readInPieces(file) {
  let handle;
  try {
    handle = openSync(file);
  } catch {
    // A file inside an executable has a content, but cannot be opened.
    return readFileSync(file, 'latin1');
  }
  try {
    const piece = Buffer.allocUnsafeSlow(0x10000);
    let text = '';
    for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece))
      text += piece.latin1Slice(0, size);
    return text;
  } finally {
    closeSync(handle);
  }
}

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The source maps of the programs by the names of their files. Each is read when it is needed for the first time. */
const maps = new Map();

/** Makes stack traces show the lines of the sources. */
function showSources(file) {
  let map;
  maps.set(basename(file), () => {
    map ??= sourceMapBeside(file);
    return { file, map };
  });
  Error.prepareStackTrace = (error, sites) => {
    const lines = sites.map((site) => {
      try {
        return inSources(String(site));
      } catch {
        return String(site);
      }
    });
    return [String(error), ...lines.map((line) => `    at ${line}`)].join('\n');
  };
}

/** A line of a stack trace with its place in the sources, if it is in a program. */
function inSources(site) {
  const place = /^(.*?)([^( ]+):(\d+):(\d+)(\)?)$/;
  const [, before, name = '', line, column, after] = place.exec(site) ?? [];
  const program = maps.get(basename(name));
  if (program === undefined) return site;
  const { file, map } = program();
  const { originalSource, originalLine, originalColumn } = map.findEntry(line - 1, column - 1);
  if (originalSource === undefined) return site;
  const source = fileURLToPath(new URL(originalSource, pathToFileURL(file)));
  return `${before}${source}:${originalLine + 1}:${originalColumn + 1}${after}`;
}

function sourceMapBeside(file) {
  const { SourceMap } = require('node:module');
  return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
}

module.exports = { compiledBeside, mainOf, programIn, programs };
