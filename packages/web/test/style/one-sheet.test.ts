import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../src/style/', import.meta.url));
/** They are there on every page. All others come with the first visit of their page, and stay. */
const everywhere = ['base.css', 'forms.css', 'pages.css', 'shell.css', 'tokens.css'];

/** The classes of which a sheet says, without another condition, how they look. */
function classesOf(sheet: string): Set<string> {
  const text = readFileSync(join(folder, sheet), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','));
  return new Set(
    selectors.flatMap((selector) => /^\s*\.([a-z0-9-]+)(?=[\s>+~]|$)/.exec(selector)?.[1] ?? []),
  );
}

test('no two sheets of pages say how the same class looks: the later visit would change the other page', () => {
  const sheets = readdirSync(folder).filter((name) => !everywhere.includes(name));
  const owners = new Map<string, Set<string>>();
  for (const sheet of sheets) {
    for (const name of classesOf(sheet)) owners.set(name, new Set(owners.get(name)).add(sheet));
  }
  expect(owners.size).toBeGreaterThan(50);
  const own = ([name, by]: [string, Set<string>]) => by.size > 1 && !isEverywhere(name);
  expect([...owners].filter(own)).toEqual([]);
});

function isEverywhere(name: string): boolean {
  return everywhere.some((sheet) => classesOf(sheet).has(name));
}
