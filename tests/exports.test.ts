import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { libraries, own, publicEntries } from '../scripts/packed-package.mjs';

/** Stands in the comment at the top of an entry. */
const ofEntry = '@packageDocumentation';
/** The first line of an entry that only our packages import. */
const ofInternalEntry = '/** @packageDocumentation @internal */';

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** A name that programs can import; its mark is undefined if it has none, or two. */
interface Exported {
  readonly name: string;
  readonly mark: string | undefined;
}

const exported = Object.entries(own.exports).flatMap(([path, targets]) => {
  const file = pathOf(sourceOf(targets));
  const names = exportsOf(file, readFileSync(file, 'utf8'));
  return names.map(({ name, mark }) => ({ name: `${path.slice('./'.length)} ${name}`, mark }));
});

test('programs can import these entries, and what else packages export is for each other', () => {
  expect(publicEntries.map(({ name }) => name)).toEqual([
    'client',
    'client/node',
    'core-socket',
    'device',
    'server',
    'simulation',
    'testing',
    'fleet',
    'model',
    'telegrams',
  ]);
  const listed = new Set(publicEntries.map(({ targets }) => targets));
  const others = libraries.flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports).flatMap((targets) =>
      listed.has(targets) ? [] : pathOf(`${folder}/${sourceOf(targets)}`),
    ),
  );
  expect(others.length).toBeGreaterThan(20);
  const unmarked = others.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return !text.startsWith(ofInternalEntry) || marksIn(text).length > 0;
  });
  expect(unmarked).toEqual([]);
});

test('every name that programs can import is stable or experimental', () => {
  expect(exported.length).toBeGreaterThan(600);
  expect(exported.filter(({ mark }) => mark === undefined).map(({ name }) => name)).toEqual([]);
});

test('the stable names are those of the list', () => {
  const list = readFileSync(pathOf('tests/support/interface/exports.txt'), 'utf8').trim().split('\n');
  const stable = exported.filter(({ mark }) => mark === 'stable').map(({ name }) => name);
  expect(stable.sort()).toEqual(list);
});

test.each([
  ['/** @packageDocumentation @experimental */\n\nexport const a = 1;', 'experimental'],
  ["/** @packageDocumentation @experimental */\n\n/** @stable */\nexport { a } from './b.js';", 'stable'],
  [
    "/** @packageDocumentation @stable */\n\n/** @experimental */\nexport type { a } from './b.js';",
    'experimental',
  ],
  ['/** What it is. @stable */\nexport function a() {}', 'stable'],
  ['/** @stable @experimental */\nexport class a {}', undefined],
  ['/** What it is. */\nexport interface a {}', undefined],
])('the mark of an export is its own or that of its entry: %j has %s', (text, mark) => {
  expect(exportsOf('entry.ts', text)).toEqual([{ name: 'a', mark }]);
});

/** The path of the source among the conditions of an entry. */
function sourceOf(targets: unknown): string {
  if (typeof targets === 'string') return targets;
  const conditions = new Map(Object.entries(Object(targets)));
  return sourceOf(conditions.get('source') ?? conditions.get('default'));
}

function exportsOf(file: string, text: string): readonly Exported[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const [top = ''] = /^\/\*\*[\s\S]*?\*\//.exec(text) ?? [];
  const entry = top.includes(ofEntry) ? marksIn(top) : [];
  return source.statements.flatMap((statement) => {
    const [mark, ...others] = [marksOf(statement), entry].find((marks) => marks.length > 0) ?? [];
    return namesOf(statement, file).map((name) => ({ name, mark: others.length === 0 ? mark : undefined }));
  });
}

/** The names that a statement exports. */
function namesOf(statement: ts.Statement, file: string): readonly string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, moduleSpecifier } = statement;
    if (exportClause !== undefined && ts.isNamedExports(exportClause)) {
      return exportClause.elements.map(({ name }) => name.text);
    }
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const from = resolve(file, '..', moduleSpecifier.text.replace(/\.js$/, '.ts'));
    const names = exportsOf(from, readFileSync(from, 'utf8')).map(({ name }) => name);
    return exportClause === undefined ? names : names.map((name) => `${exportClause.name.text}.${name}`);
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  return 'name' in statement ? [Object(statement.name).text] : [];
}

function marksOf(statement: ts.Statement): readonly string[] {
  const text = statement.getFullText();
  const comments = ts.getLeadingCommentRanges(text, 0) ?? [];
  const own = comments.map(({ pos, end }) => text.slice(pos, end)).filter((each) => !each.includes(ofEntry));
  return marksIn(own.at(-1) ?? '');
}

function marksIn(comment: string): readonly string[] {
  return [...comment.matchAll(/@(stable|experimental)\b/g)].flatMap(([, mark]) => mark ?? []);
}
