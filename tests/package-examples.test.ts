import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { main } from '@azimuth/cli';
import { packageNames } from '@azimuth/test-support/package-names';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test, vi } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readmeOf = (name: string) => readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');

/** The longest example, in lines. */
const longest = 25;

interface Example {
  readonly language: string;
  readonly code: string;
  /** The lines that it prints, in the order of its comments. */
  readonly prints: readonly string[];
}

/** Returns the one example of a README. */
function exampleOf(name: string): Example {
  const [first, ...others] = [...readmeOf(name).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  if (first === undefined || others.length > 0) throw new Error(`${name}: expected one example`);
  const [, language = '', code = ''] = first;
  const prints = [...code.matchAll(/(?:\/\/|#) prints: (.*)$/gm)].map(([, line = '']) => line);
  return { language, code, prints };
}

const written = packageNames.filter((name) => exampleOf(name).language === 'ts');

test.each(packageNames)('the README of %s is short, and what it links is there', (name) => {
  const text = readmeOf(name);
  expect(text.split('\n', 1)).toEqual([`# @azimuth/${name}`]);
  expect(exampleOf(name).code.trimEnd().split('\n').length).toBeLessThanOrEqual(longest);
  const linked = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
  const dead = linked.filter((path) => !existsSync(join(root, 'packages', name, path)));
  expect({ linked: linked.length > 0, dead }).toEqual({ linked: true, dead: [] });
});

test.each(written)('the example of %s prints what its comments say', async (name) => {
  const { code, prints } = exampleOf(name);
  const folder = join(root, '.cache', 'package-examples');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.ts`);
  // Programs import what is built by the name `azimuth-scanner/client`. These are its sources.
  writeFileSync(file, code.replaceAll("'azimuth-scanner/", "'@azimuth/"));
  const printed: string[] = [];
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...values) => void printed.push(format(...values)));
  onTestFinished(() => log.mockRestore());
  await import(pathToFileURL(file).href);
  expect(printed.join('\n').split('\n')).toEqual(prints);
});

test('the commands in the README of cli print what their comments say', async () => {
  const { code, prints } = exampleOf('cli');
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  vi.stubEnv('AZIMUTH_DEVICE', scanner.url);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  onTestFinished(() => write.mockRestore());
  for (const [, words = ''] of code.matchAll(/^azimuth ([^#\n]+)/gm))
    await main(Array.from(words.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word));
  expect(printed.trimEnd().split('\n')).toEqual(prints);
});

test('a package without an example in TypeScript is the command, or exports nothing', () => {
  expect(packageNames.filter((name) => !written.includes(name))).toEqual(['cli', 'web']);
});
