import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const contentOf = (path: string) => readFileSync(path, 'utf8');

/** The modules and style sheets that a module loads with itself. */
function importsOf(path: string): readonly string[] {
  return [...contentOf(path).matchAll(/^(?:import|export|\} from)\b[^;]*?'(\.{1,2}\/[^']+)';/gm)]
    .map(([, place = '']) => join(dirname(path), place))
    .map((module) => module.replace(/\.js$/, '.ts'))
    .map((module) => (existing.has(module) ? module : module.replace(/\.ts$/, '.tsx')));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

const existing = new Set(filesIn(source));
const sheets = filesIn(join(source, 'style'));

/** The style sheets that have rules for each class. */
const sheetsOf = new Map<string, Set<string>>();
for (const sheet of sheets) {
  for (const [, name = ''] of contentOf(sheet).matchAll(/\.([a-z][\w-]*)/g)) {
    sheetsOf.set(name, (sheetsOf.get(name) ?? new Set()).add(sheet));
  }
}

/** The style sheets that say of each class, wherever it stands, how it looks. */
const plainSheetsOf = new Map<string, Set<string>>();
for (const sheet of sheets) {
  const rules = contentOf(sheet).replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, selectors = ''] of rules.matchAll(/([^{}]+)\{/g)) {
    for (const [, name = ''] of selectors.matchAll(/(?:^|,)\s*\.([a-z][\w-]*)\s*(?=,|$)/g)) {
      plainSheetsOf.set(name, (plainSheetsOf.get(name) ?? new Set()).add(sheet));
    }
  }
}

/** Everything that is loaded together with a module. */
function loadedWith(path: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  if (path.endsWith('.css')) return loaded;
  for (const module of importsOf(path)) loadedWith(module, loaded);
  return loaded;
}

/** Classes in the attributes of a module: those that are always there, and those that an expression chooses. */
function classesIn(path: string): readonly string[] {
  return [...contentOf(path).matchAll(/\bclass=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(
    ([, fixed, chosen = '']) => (fixed ?? textsIn(chosen)).match(/[a-z][\w-]*/g) ?? [],
  );
}

/** The texts of an expression. */
function textsIn(expression: string): string {
  return (expression.match(/'[^']*'|`[^`$]*/g) ?? []).join(' ');
}

const first = loadedWith(join(source, 'main.tsx'));
const pages = [...contentOf(join(source, 'shell/pages.ts')).matchAll(/import\('(\.\.\/[^']+)\.js'\)/g)].map(
  ([, place = '']) => join(source, 'shell', `${place}.tsx`),
);

test.each(pages.map((path) => [relative(source, path), path]))(
  '%s loads the styles of all that it shows, whichever page was open before',
  (_, path) => {
    const loaded = new Set([...first, ...loadedWith(path)]);
    const lacking = [...loaded]
      .filter((module) => module.endsWith('.tsx'))
      .flatMap((module) => classesIn(module).map((name) => ({ module: relative(source, module), name })))
      .filter(({ name }) => {
        const styled = sheetsOf.get(name);
        return styled !== undefined && ![...styled].some((sheet) => loaded.has(sheet));
      });
    expect(lacking).toEqual([]);
  },
);

test.each(pages.map((path) => [relative(source, path), path]))(
  '%s looks the same, whichever page was open before: no sheet of another page styles its classes',
  (_, path) => {
    const loaded = new Set([...first, ...loadedWith(path)]);
    const styledElsewhere = [...loadedWith(path)]
      .filter((module) => module.endsWith('.tsx'))
      .flatMap((module) => classesIn(module).map((name) => ({ module: relative(source, module), name })))
      .filter(({ name }) => [...(plainSheetsOf.get(name) ?? [])].some((sheet) => !loaded.has(sheet)));
    expect(styledElsewhere).toEqual([]);
  },
);

test('the check sees modules, classes and sheets', () => {
  expect(first.size).toBeGreaterThan(20);
  expect([...first].filter((path) => path.endsWith('.css')).length).toBeGreaterThan(3);
  expect(pages.length).toBeGreaterThan(15);
  expect(sheetsOf.get('needs-level')).toContain(join(source, 'style/shell.css'));
  expect(plainSheetsOf.get('scale')).toEqual(new Set([join(source, 'style/overview.css')]));
  expect(classesIn(join(source, 'connection/acts.tsx'))).toContain('needs-level');
});
