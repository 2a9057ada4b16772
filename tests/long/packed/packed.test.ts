import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { array, number, object, parse, string } from '@azimuth/test-support/json';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { componentsOf, expectCycloneDx } from './cyclone-dx.js';
import { Project, root, run } from './installed.js';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const clone = object(parse(text('package.json')));
const name = string(clone.name);

let project: Project;
let installed: string;

beforeAll(async () => {
  project = await Project.install();
  installed = join(project.project, 'node_modules', name);
}, 110_000);
afterAll(() => project.remove());

/** What can be imported, as programs name it. */
function imports(): string[] {
  const { exports } = object(parse(readFileSync(join(installed, 'package.json'), 'utf8')));
  return Object.keys(object(exports))
    .filter((path) => path !== './package.json')
    .map((path) => `${name}${path.slice(1)}`);
}

/** The first line that a process prints; the process ends with the test. */
async function firstLine(child: ChildProcess): Promise<string> {
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  if (child.stdout === null) throw new Error('no output to read');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('it printed nothing');
}

test('nothing else is installed, and no name, source or test of the clone is in it', async () => {
  expect(
    readdirSync(join(project.project, 'node_modules')).filter((entry) => !entry.startsWith('.')),
  ).toEqual([name]);
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  const ours = files.filter((file) => !file.startsWith('node_modules'));
  expect(ours).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES']));
  expect(ours.filter((file) => /(?<!\.d)\.ts$|test\.|tsbuildinfo/.test(file))).toEqual([]);
  const strangers = ours.filter((file) =>
    readFileSync(join(installed, file), 'latin1').includes('@azimuth/'),
  );
  expect(strangers).toEqual([]);
});

test('it has the cores in C and in Python', () => {
  for (const file of ['core-c/wall-core.c', 'core-python/wall_core.py'])
    expect(readFileSync(join(installed, 'examples', file), 'utf8'), file).toBe(text(`examples/${file}`));
});

/** The packages of others in the programs of the bundle, by their source maps: name and version. */
function packagesInBundle(): readonly string[] {
  const bundle = join(root, 'packages', 'cli', 'bundle');
  const maps = readdirSync(bundle).filter((file) => file.endsWith('.map'));
  const sources = maps.flatMap((file) =>
    array(object(parse(readFileSync(join(bundle, file), 'utf8'))).sources).map(string),
  );
  const folders = sources.flatMap((source) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? []);
  return [...new Set(folders)].map((folder) => {
    const { name, version } = object(parse(readFileSync(join(bundle, folder, 'package.json'), 'utf8')));
    return `${string(name)}@${string(version)}`;
  });
}

test('the bill of materials and the licenses name each package of the bundle, of the GUI and of the libraries', () => {
  const bill = parse(readFileSync(join(installed, 'sbom.cdx.json'), 'utf8'));
  expectCycloneDx(bill);
  const named = componentsOf(bill);
  expect(named.length).toBe(new Set(named).size);
  const inBundle = packagesInBundle();
  expect(inBundle.length).toBeGreaterThan(30);
  expect(named).toEqual(expect.arrayContaining([...inBundle]));
  const besides = named.filter((each) => !inBundle.includes(each)).map((each) => each.replace(/@[^@]+$/, ''));
  expect(besides).toEqual(['@preact/signals-core', '@preact/signals', 'preact', 'uplot']);
  const licenses = readFileSync(join(installed, 'THIRD-PARTY-LICENSES'), 'utf8');
  const licensed = [...licenses.matchAll(/(?:^|-{80}\n\n)(\S+) (\S+) \(.+\)\n/g)].map(
    ([, each, version]) => `${each}@${version}`,
  );
  expect(licensed.sort()).toEqual([...named].sort());
});

test('the header of measuring cores in C is in it', () => {
  expect(readFileSync(join(installed, 'include', 'azimuth-core.h'), 'utf8')).toBe(
    text('examples/core-c/azimuth-core.h'),
  );
});

test('the command takes a product that the library has defined', async () => {
  const product = {
    ...{ name: 'acme', deviceType: 'acme3xx', orderNumber: '1', realm: 'Acme' },
    releases: { '5.0.0': '2.4.4' },
  };
  project.write(
    'product.mjs',
    `import { defineProduct } from '${name}/model'; export default defineProduct(${JSON.stringify(product)});`,
  );
  const build = ['firmware', 'build', '--release', '5.0.0', '--product', 'product.mjs', '--out', 'f.spk'];
  await run('npx', ['azimuth', ...build], project.project);
  const inspected = await run('npx', ['azimuth', 'firmware', 'inspect', 'f.spk'], project.project);
  expect(inspected).toMatch(/^product +acme$/m);
});

test('npx azimuth starts a scanner with its GUI, pages and scenes, from compiled code', async () => {
  expect(await run('npx', ['azimuth', '--version'], project.project)).toBe(`${string(clone.version)}\n`);
  const words = ['azimuth', 'serve', '--json', '--any-ports', '--scene', 'gate', '--data', 'scanner'];
  const child = spawn(join(project.project, 'node_modules', '.bin', 'azimuth'), words.slice(1), {
    cwd: project.project,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ready = object(parse(await firstLine(child)));
  const url = `http://127.0.0.1:${number(ready.http)}`;
  for (const path of ['/', '/docs', '/docs/page.js', '/docs/hashes/sha2.js', '/api/DeviceIdent']) {
    const response = await fetch(`${url}${path}`);
    await response.arrayBuffer();
    expect(response.status, path).toBe(200);
  }
  const program = join(installed, 'packages', 'cli', 'bin', 'program.js');
  const rejected = `const { programIn, programs } = require(${JSON.stringify(program)});
    const { dirname, join } = require('node:path');
    const names = JSON.parse(require('node:fs').readFileSync(programs));
    const all = Object.entries(names).map(([name, file]) =>
      [name, programIn(join(dirname(programs), file)).script.cachedDataRejected]);
    console.log(JSON.stringify(Object.fromEntries(all)));`;
  expect(parse(await project.node('-e', rejected))).toEqual({
    main: false,
    'complete-main': false,
    'get-main': false,
    'serve-main': false,
  });
});

test('every library can be imported, and all share their classes', async () => {
  const statements = imports().map((path) => `await import('${path}');`);
  const exported = Object.keys(object(clone.exports)).map((path) => `${name}${path.slice(1)}`);
  expect(imports()).toEqual(exported);
  project.write(
    'libraries.mjs',
    `${statements.join('\n')}
    import { Scanner, ScannerError } from '${name}/client';
    import { Scan } from '${name}/device';
    import { startScanner } from '${name}/testing';
    const scanner = await startScanner({ scene: 'conveyor' });
    const stranger = new Scanner({ url: scanner.url, password: 'wrong' });
    const refused = await stranger.write('LocationName', 'x').catch((error) => error);
    let seen;
    scanner.device.features.measuring.watch({ scan: (scan) => { seen = scan; } });
    await scanner.advance(200);
    console.log(refused instanceof ScannerError, seen instanceof Scan);
    await scanner.close();`,
  );
  expect(await project.node('libraries.mjs')).toBe('true true\n');
});

test('browsers get a client without modules of Node', () => {
  const lib = join(installed, 'lib');
  const waiting = [
    'client-index.js',
    'client-exchange-fetch-exchange.js',
    'client-events-open-browser-socket.js',
  ];
  const seen = new Set<string>();
  const outside = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const code = readFileSync(join(lib, file), 'utf8');
    for (const [, from = ''] of code.matchAll(/(?:\bfrom |\bimport |\bimport\()"([^"]+)"/g)) {
      if (from.startsWith('./')) waiting.push(from.slice(2));
      else outside.add(from);
    }
  }
  expect([...outside].filter((from) => !/^(#|@noble\/hashes\/)/.test(from))).toEqual([]);
  expect(outside).toContain('#exchange');
});

/** A program whose compiler tells `undefined` apart from a member that is not there. */
const optionsThatMayBeUndefined = `
  import type { BackupOptions, CallOptions, EventOptions, ScannerOptions, ScanOptions, UpdateOptions } from '${name}/client';
  import type { DiscoverOptions } from '${name}/client/node';
  import type { LegacyOptions } from '${name}/client/node';
  import type { UdpOptions } from '${name}/client/node';
  import type { DeviceOptions } from '${name}/device';
  import type { FleetOptions } from '${name}/fleet';
  import type { ServiceOptions } from '${name}/server';
  import type { StartOptions } from '${name}/testing';

  type Refusing<T> = {
    [K in keyof T]-?: {} extends Pick<T, K> ? (Record<K, undefined> extends Pick<T, K> ? never : K) : never;
  }[keyof T];
  type None<Name extends never> = Name;

  export type Checked = [
    None<Refusing<ScannerOptions>>,
    None<Refusing<CallOptions>>,
    None<Refusing<EventOptions>>,
    None<Refusing<ScanOptions>>,
    None<Refusing<BackupOptions>>,
    None<Refusing<UpdateOptions>>,
    None<Refusing<DiscoverOptions>>,
    None<Refusing<LegacyOptions>>,
    None<Refusing<UdpOptions>>,
    None<Refusing<DeviceOptions>>,
    None<Refusing<ServiceOptions>>,
    None<Refusing<FleetOptions>>,
    None<Refusing<StartOptions>>,
  ];
`;

test('the example core builds from it alone under strict settings, and a scanner starts with it', async () => {
  const types = join(project.project, 'node_modules', '@types');
  mkdirSync(types);
  cpSync(join(root, 'node_modules', '@types', 'node'), join(types, 'node'), { recursive: true });
  const undici = join('node_modules', 'undici-types');
  cpSync(join(root, undici), join(project.project, undici), { recursive: true });
  const [, main = ''] =
    /```ts\n(import \{ FolderStorage[\s\S]*?)```/.exec(text('docs/measuring-core.md')) ?? [];
  project.write('main.ts', main.replace('8080', '0'));
  project.write('wall-core.ts', text('examples/wall-core.ts'));
  project.write(
    'all.ts',
    imports()
      .map((path, at) => `export * as library${at} from '${path}';\n`)
      .join(''),
  );
  project.write('options.ts', optionsThatMayBeUndefined);
  project.write('package.json', JSON.stringify({ private: true, type: 'module' }));
  const settings = {
    target: 'es2022',
    lib: ['es2022'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    skipLibCheck: false,
  };
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const resolutions = { nodenext: 'nodenext', bundler: 'esnext' };
  const checks = Object.entries(resolutions).map(([moduleResolution, module]) => {
    const configuration = `tsconfig.${moduleResolution}.json`;
    const compilerOptions = { ...settings, module, moduleResolution, outDir: moduleResolution };
    const files = ['main.ts', 'wall-core.ts', 'all.ts', 'options.ts'];
    project.write(configuration, JSON.stringify({ compilerOptions, files }));
    return project.node(tsc, '-p', configuration);
  });
  expect(await Promise.all(checks)).toEqual(['', '']);
  const child = spawn(process.execPath, [join('nodenext', 'main.js')], {
    cwd: project.project,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const response = await fetch(`${await firstLine(child)}/api/DeviceIdent`);
  expect(response.status).toBe(200);
});
