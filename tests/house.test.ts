import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which packages each package may import, and which of Node's modules it must not. */
const rules: Readonly<
  Record<
    string,
    { packages: readonly string[]; node: 'none' | 'no sockets' | 'all'; besides?: readonly string[] }
  >
> = {
  model: { packages: [], node: 'none' },
  telegrams: { packages: [], node: 'none' },
  device: { packages: ['model', 'telegrams'], node: 'no sockets' },
  world: { packages: ['model', 'telegrams', 'device'], node: 'no sockets' },
  server: { packages: ['model', 'telegrams', 'device'], node: 'all' },
  // What listens and writes files has an entry of its own: a browser takes the other one.
  client: { packages: ['model', 'telegrams'], node: 'none', besides: ['receive/', 'discover/', 'legacy/'] },
  cli: { packages: ['model', 'telegrams', 'device', 'world', 'server', 'client'], node: 'all' },
};

const socketModules = /^node:(net|http|https|http2|tls|dgram|dns)(\/|$)/;

interface Import {
  readonly file: string;
  readonly from: string;
}

describe('the house', () => {
  it('has a rule for every package', () => {
    expect(readdirSync(join(root, 'packages')).sort()).toEqual(Object.keys(rules).sort());
  });

  it.each(Object.keys(rules))('lets %s import only what lies below it', (name) => {
    const rule = rules[name];
    const wrong = importsOf(name).filter(({ file, from }) => {
      const ours = /^@azimuth\/([a-z]+)/.exec(from)?.[1];
      if (ours !== undefined) return !rule?.packages.includes(ours);
      if (!from.startsWith('node:')) return false;
      if (rule?.besides?.some((folder) => file.startsWith(join('packages', name, 'src', folder))))
        return false;
      return rule?.node === 'none' || (rule?.node === 'no sockets' && socketModules.test(from));
    });
    expect(wrong).toEqual([]);
  });

  it('sees imports at all', () => {
    const found = importsOf('server').map(({ from }) => from);
    expect(found).toContain('@azimuth/device');
    expect(found).toContain('node:http');
  });

  it('names the packages it imports in package.json', () => {
    for (const name of Object.keys(rules)) {
      const manifest = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
      for (const { from } of importsOf(name)) {
        if (from.startsWith('.') || from.startsWith('node:')) continue;
        const dependency = from.split('/', from.startsWith('@') ? 2 : 1).join('/');
        expect(manifest, `${name} imports ${dependency}`).toContain(`"${dependency}":`);
      }
    }
  });

  it.each(['device'])('loads parts of %s later in one way only, which can be tried again', (name) => {
    const others = sourcesOf(name).flatMap((file) => {
      const text = withoutParts(readFileSync(file, 'utf8')).replaceAll(/typeof import\(/g, '');
      return [...text.matchAll(/\bimport\(\s*'(?!node:)[^']+'/g)].map(
        ([found]) => `${relative(root, file)}: ${found}`,
      );
    });
    expect(others).toEqual([]);
    expect(sourcesOf(name).some((file) => readFileSync(file, 'utf8').includes('new Later('))).toBe(true);
  });

  it('holds sources and nothing else', () => {
    const strangers = Object.keys(rules)
      .flatMap((name) => filesOf(name))
      .filter((file) => !/\.(ts|tsx|css|html)$/.test(file))
      .map((file) => relative(root, file));
    expect(strangers).toEqual([]);
  });

  it('keeps its files small: none over 500 lines but tables of data', () => {
    const large = Object.keys(rules)
      .flatMap((name) => sourcesOf(name))
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 500)
      .map((file) => relative(root, file));
    expect(large).toEqual([]);
  });
});

function sourcesOf(name: string): string[] {
  return filesOf(name).filter((file) => /\.tsx?$/.test(file));
}

function filesOf(name: string): string[] {
  const folder = join(root, 'packages', name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A source without what is loaded by `new Later(…)`. */
function withoutParts(text: string): string {
  const begin = text.indexOf('new Later(');
  if (begin === -1) return text;
  let end = begin + 'new Later('.length;
  for (let open = 1; open > 0 && end < text.length; end++) {
    if (text[end] === '(') open++;
    else if (text[end] === ')') open--;
  }
  return withoutParts(text.slice(0, begin) + text.slice(end));
}

function importsOf(name: string): Import[] {
  return sourcesOf(name).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const specifiers = text.matchAll(/(?:(?<!\.)\bfrom|\bimport)\s*\(?\s*'([^']+)'/g);
    return [...specifiers].map(([, from = '']) => ({ file: relative(root, file), from }));
  });
}
