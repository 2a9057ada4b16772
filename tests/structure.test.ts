import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { packageNames } from '@azimuth/test-support/package-names';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../packages/cli/bin/node-version.js';
import { cloneExports, own } from '../scripts/packed-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that each package may import, and modules of Node that it must not import. */
const rules: Readonly<
  Record<
    string,
    { packages: readonly string[]; node: 'none' | 'no sockets' | 'all'; besides?: readonly string[] }
  >
> = {
  async: { packages: [], node: 'none' },
  wording: { packages: [], node: 'none' },
  model: { packages: ['wording'], node: 'none' },
  telegrams: { packages: [], node: 'none' },
  http: { packages: ['async', 'model'], node: 'all' },
  device: { packages: ['async', 'model', 'telegrams'], node: 'no sockets' },
  simulation: { packages: ['async', 'wording', 'model', 'telegrams', 'device'], node: 'no sockets' },
  'core-socket': { packages: ['device'], node: 'all' },
  server: { packages: ['async', 'model', 'telegrams', 'http', 'device'], node: 'all' },
  // Modules that listen or write files have an entry of their own (of `#exchange`, too): a browser imports the other
  // one.
  client: {
    packages: ['async', 'model', 'telegrams'],
    node: 'none',
    besides: ['receive/', 'discover/', 'legacy/', 'exchange/node/'],
  },
  // Of `http`, only `site`, which a browser can have.
  web: { packages: ['async', 'model', 'client', 'http'], node: 'none' },
  fleet: { packages: ['async', 'model', 'telegrams', 'http', 'device', 'simulation', 'server'], node: 'all' },
  testing: {
    packages: ['async', 'wording', 'model', 'telegrams', 'http', 'device', 'simulation', 'server', 'client'],
    node: 'all',
  },
  check: { packages: ['async', 'wording', 'model', 'telegrams', 'client'], node: 'all' },
  monitor: {
    packages: ['async', 'wording', 'model', 'telegrams', 'http', 'device', 'client', 'fleet'],
    node: 'all',
  },
  bridge: {
    packages: ['async', 'wording', 'model', 'telegrams', 'http', 'device', 'simulation', 'server', 'client'],
    node: 'all',
  },
  cli: {
    packages: [
      'async',
      'wording',
      'model',
      'telegrams',
      'http',
      'device',
      'simulation',
      'core-socket',
      'server',
      'client',
      'fleet',
      'check',
      'monitor',
      'bridge',
    ],
    node: 'all',
  },
};

const socketModules = /^node:(net|http|https|http2|tls|dgram|dns)(\/|$)/;

interface Import {
  readonly file: string;
  readonly from: string;
}

describe('the packages', () => {
  it('each have a rule', () => {
    expect([...packageNames].sort()).toEqual(Object.keys(rules).sort());
  });

  it.each(Object.keys(rules))('%s imports only packages below it', (name) => {
    const rule = rules[name];
    const wrong = importsOf(name).filter(({ file, from }) => {
      const ours = /^@azimuth\/([a-z-]+)/.exec(from)?.[1];
      if (ours !== undefined) return !rule?.packages.includes(ours);
      if (!from.startsWith('node:')) return false;
      if (rule?.besides?.some((folder) => file.startsWith(join('packages', name, 'src', folder))))
        return false;
      return rule?.node === 'none' || (rule?.node === 'no sockets' && socketModules.test(from));
    });
    expect(wrong).toEqual([]);
  });

  it('have imports that this test finds', () => {
    const specifiers = importsOf('server').map(({ from }) => from);
    expect(specifiers).toContain('@azimuth/device');
    expect(specifiers).toContain('node:http');
  });

  it('name the packages they import in package.json', () => {
    for (const name of Object.keys(rules)) {
      const manifest = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
      for (const { from } of importsOf(name)) {
        if (from.startsWith('.') || from.startsWith('node:')) continue;
        const dependency = from.split('/', from.startsWith('@') ? 2 : 1).join('/');
        expect(manifest, `${name} imports ${dependency}`).toContain(`"${dependency}":`);
      }
    }
  });

  it.each(Object.keys(rules))('has no circle of imports in %s, of files or of folders', (name) => {
    expect(circlesIn(join(root, 'packages', name, 'src'))).toEqual([]);
  });

  it('finds circles', () => {
    const imports = ['a b', 'b c', 'c a', 'c d', 'd e', 'x x'].map((pair) => pair.split(' '));
    expect(circlesOf(imports)).toEqual([['a', 'b', 'c']]);
  });

  it('are imported by their names only: no source and no test imports a file of another package', () => {
    const foreign = [...Object.keys(rules), undefined].flatMap((name) =>
      [...testsOf(name), ...(name === undefined ? [] : sourcesOf(name))].flatMap((file) =>
        foreignFiles(file, name).map((path) => `${relative(root, file)}: ${path}`),
      ),
    );
    expect(foreign).toEqual([]);
  });

  it('are not imported by tests from four folders above', () => {
    const tests = [...Object.keys(rules), undefined].flatMap(testsOf);
    const climbing = tests.filter((file) =>
      specifiersOf(file).some((from) => from.startsWith('../../../../')),
    );
    expect(climbing.map((file) => relative(root, file))).toEqual([]);
  });

  it('have imports between files that this test finds', () => {
    const [file] = testsOf('simulation').filter((path) => path.endsWith(join('scene', 'recorder.test.ts')));
    expect(foreignFiles(file ?? '', 'device')).toContain('packages/simulation/src/world/index.js');
  });

  it('count things by `counted`, so that one of them is not called "1 scanners"', () => {
    const things = 'scanners|parameters|changes|values|checks|telegrams|detections|files|echoes|beams';
    const byHand = new RegExp(
      `=== 1 \\? ['"\`]1 |\\$?\\{(?!most|max|evaluationSlots)[\\w.]+\\} (${things})\\b`,
    );
    // These are never one: the groups of two or more, a limit, a rate.
    const never =
      /self\.length|macs\.length|maxValues\}|groups before|a change is not saved|open, and needs|beams=\{beams\}|written\} parameters are restored/;
    const found = ['cli', 'web', 'fleet', 'client'].flatMap((name) =>
      sourcesOf(name).flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => byHand.test(line) && !never.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
          .map((line) => `${relative(root, file)}: ${line.trim()}`),
      ),
    );
    expect(found).toEqual([]);
  });

  it('contain only sources in src', () => {
    const strangers = Object.keys(rules)
      .flatMap((name) => filesOf(name))
      .filter((file) => !/\.(ts|tsx|css|html)$/.test(file))
      .map((file) => relative(root, file));
    expect(strangers).toEqual([]);
  });

  it('have no source file over 450 lines', () => {
    const large = Object.keys(rules)
      .flatMap((name) => filesOf(name))
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 450)
      .map((file) => relative(root, file));
    expect(large).toEqual([]);
  });
});

describe('the benchmark', () => {
  const source = join(root, 'bench', 'src');

  it('has no circle of imports, of files or of folders', () => {
    expect(circlesIn(source)).toEqual([]);
  });

  it('imports packages by their names only', () => {
    const outside = filesIn(source).flatMap((file) =>
      specifiersOf(file)
        .filter(
          (from) => from.startsWith('.') && relative(source, join(dirname(file), from)).startsWith('..'),
        )
        .map((from) => `${relative(root, file)}: ${from}`),
    );
    expect(outside).toEqual([]);
  });
});

it('docs/limits.md names every test of the limits, and no other', () => {
  const page = readFileSync(join(root, 'docs', 'limits.md'), 'utf8');
  const named = [...page.matchAll(/\(\.\.\/tests\/limits\/([\w-]+\.test\.ts)\)/g)].map(([, name]) => name);
  const tests = readdirSync(join(root, 'tests', 'limits')).filter((name) => name.endsWith('.test.ts'));
  expect([...new Set(named)].toSorted()).toEqual(tests.sort());
});

describe('the name under which others import the libraries', () => {
  it('has in package.json all that the packages export', () => {
    expect(own.exports).toEqual(cloneExports());
  });

  it('is the same in the documentation and in the examples', () => {
    const libraries = Object.keys(rules).filter((name) => own.exports[`./${name}`] !== undefined);
    const import_ = new RegExp(`(?:from |import\\()['"]([\\w@/-]+)/(?:${libraries.join('|')})\\b`, 'g');
    const places = ['docs', 'examples'].flatMap((folder) => filesIn(join(root, folder)));
    const found = places
      .filter((file) => /\.(md|m?[jt]s)$/.test(file) && !file.endsWith('architecture.md'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(import_)].map(([, name]) => name))
      // The SDK of MCP has an entry `client`, too.
      .filter((name) => name !== '@modelcontextprotocol/sdk');
    expect(found.length).toBeGreaterThan(10);
    expect([...new Set(found)]).toEqual([own.name]);
  });
});

function sourcesOf(name: string): string[] {
  return filesOf(name).filter((file) => /\.tsx?$/.test(file));
}

/** The tests of a package; without a name, the tests of complete scanners. */
function testsOf(name: string | undefined): string[] {
  const folder = name === undefined ? join(root, 'tests') : join(root, 'packages', name, 'test');
  return filesIn(folder).filter((file) => file.endsWith('.ts'));
}

function filesOf(name: string): string[] {
  return filesIn(join(root, 'packages', name, 'src'));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(name: string): Import[] {
  return sourcesOf(name).flatMap((file) =>
    specifiersOf(file).map((from) => ({ file: relative(root, file), from })),
  );
}

function specifiersOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?<![.'])\b(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, from = '']) => from);
}

/** The files of packages that a file imports by their paths, except those of the package with this name. */
function foreignFiles(file: string, name: string | undefined): string[] {
  return specifiersOf(file)
    .filter((from) => from.startsWith('.'))
    .map((from) => relative(root, join(dirname(file), from)))
    .filter((path) => /^packages\/[a-z-]+\/(src|test|dist)\//.test(path) && path.split(sep)[1] !== name);
}

/** The circles of imports between the files of a folder, and between the folders in it. */
function circlesIn(source: string): string[] {
  const imports = importsOfFiles(source);
  return [...new Set(imports.flatMap(([from]) => foldersAbove(from, source)))].flatMap((folder) =>
    circlesOf(imports.map((pair) => pair.map((file) => entryOf(file, folder)))).map(
      (circle) => `${relative(root, folder)}: ${circle.join(' ')}`,
    ),
  );
}

/** Imports between the files of a folder: importer and imported, as paths. */
function importsOfFiles(source: string): (readonly [string, string])[] {
  return filesIn(source)
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      specifiersOf(file)
        .filter((from) => from.startsWith('.'))
        .map((from) => [file, sourceAt(join(dirname(file), from))] as const),
    );
}

/** The source of an imported file. */
function sourceAt(file: string): string {
  const typed = file.replace(/\.js$/, '.ts');
  return existsSync(`${typed}x`) ? `${typed}x` : typed;
}

/** The folder of a file, and those above it, up to `top`. */
function foldersAbove(file: string, top: string): string[] {
  const folder = dirname(file);
  return folder === top ? [top] : [folder, ...foldersAbove(folder, top)];
}

/** The entry of a folder, file or folder, in which a file is; undefined for a file elsewhere. */
function entryOf(file: string, folder: string): string | undefined {
  const path = relative(folder, file);
  return path.startsWith('..') ? undefined : path.split(sep)[0];
}

/** The groups of entries that import each other in a circle. */
function circlesOf(imports: readonly (readonly (string | undefined)[])[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    if (from === undefined || to === undefined || from === to) continue;
    targets.set(from, (targets.get(from) ?? new Set()).add(to));
  }
  const reached = new Map([...targets.keys()].map((entry) => [entry, reachedFrom(entry, targets)]));
  const circles = [...targets.keys()]
    .filter((entry) => reached.get(entry)?.has(entry))
    .map((entry) => [...(reached.get(entry) ?? [])].filter((other) => reached.get(other)?.has(entry)).sort());
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

function reachedFrom(entry: string, targets: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(targets.get(entry) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(targets.get(next) ?? []));
  }
  return reached;
}

describe('the scripts of package.json', () => {
  const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const scripts = Object.entries(manifest.scripts);

  it('are programs of this clone', () => {
    expect(scripts.length).toBeGreaterThan(10);
    for (const [name, command] of scripts)
      expect(command, name).toMatch(/^node scripts\/[\w-]+\.mjs( [\w:=-]+)*$/);
  });

  /** The modules that are loaded before the first line of a file runs. */
  function loadedFirst(file: string, seen = new Set<string>()): string[] {
    if (seen.has(file)) return [];
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^(?:import|export)\b(?:[^;]*? from)? '([^']+)';$/gm)].flatMap(
      ([, from = '']) => (from.startsWith('.') ? loadedFirst(join(dirname(file), from), seen) : [from]),
    );
  }

  it.each(scripts)('%s loads nothing that a fresh clone does not have', (_, command) => {
    const [, file = ''] = command.split(' ');
    const loaded = loadedFirst(join(root, file));
    expect(loaded).not.toEqual([]);
    expect(loaded.filter((from) => !from.startsWith('node:'))).toEqual([]);
  });
});

// In threads, a program that one test starts would hold the ports of all others until it is loaded: a port that was closed
// just now would be found open, or taken.
it('tests run in processes of their own', () => {
  expect(isMainThread).toBe(true);
});

describe('a version of Node', () => {
  it.each(['20.19.2', '20.20.0', '22.12.0', '22.99.1', '24.0.0', '26.1.0'])('%s is new enough', (version) => {
    expect(refusalOf(version)).toBeUndefined();
  });

  it.each(['12.22.12', '18.20.4', '20.18.3', '20.19.1', '21.7.3', '22.11.0', '23.11.1'])(
    '%s is refused in words that name the ones that are needed',
    (version) => {
      expect(refusalOf(version)).toBe(`Azimuth needs Node 20.19.2, 22.12, 24 or newer; this is ${version}.`);
    },
  );

  it('is looked at before anything is read that an old one does not understand', () => {
    const launcher = readFileSync(join(root, 'packages', 'cli', 'bin', 'azimuth.js'), 'utf8');
    expect(launcher.indexOf('refusalOf')).toBeGreaterThan(0);
    expect(launcher.indexOf('refusalOf')).toBeLessThan(launcher.indexOf('./program.js'));
  });
});
