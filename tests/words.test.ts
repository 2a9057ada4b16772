import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageNames } from '@azimuth/test-support/package-names';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names of others, with the reason. A comment is given by a part of its text. */
const exceptions: readonly (readonly [name: string, reason: string])[] = [
  ['COORD_WORLD_TIME', 'names of the specification (TimeZone)'],
];

interface SourceText {
  readonly file: string;
  readonly code: string;
  readonly comments: readonly string[];
}

const comment = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(,])\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;
const text = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const template = /`(?:[^`\\]|\\.)*`/g;
/** Text between the elements of JSX. */
const elementText = /(?<=[>}])[^<>{}=;()]*(?=[<{])/g;

/** Splits a source into its code, without texts, and its comments. */
function split(file: string, source: string): SourceText {
  const comments: string[] = [];
  const code = source
    .replace(comment, (found) => {
      comments.push(wordsOfComment(found));
      return ' ';
    })
    .replace(text, "''")
    .replace(file.endsWith('x') ? elementText : /$^/, ' ')
    .replace(template, (found) => [...found.matchAll(/\$\{([^}]*)\}/g)].map(([, value]) => value).join(' '));
  return { file, code, comments: comments.filter((words) => words !== '') };
}

/** Returns the text of a comment without its marks. */
function wordsOfComment(found: string): string {
  return found
    .replace(/^\/\*\*?|\*\/$/g, '')
    .replace(/^[ \t]*(?:\*|\/\/)[ \t]?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const sources = packageNames.flatMap((name) => {
  const folder = join(root, 'packages', name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => split(relative(root, file), readFileSync(file, 'utf8')));
});

/** The words of the last table of the glossary, from rows without brackets. */
function unusedWords(): ReadonlySet<string> {
  const glossary = readFileSync(join(root, 'docs', 'glossary.md'), 'utf8');
  const [, section = ''] = glossary.split('## Words that are not used');
  const cells = [...section.matchAll(/^\| ([a-z]+(?:, [a-z]+)*) \|/gm)].map(([, cell = '']) => cell);
  return new Set(cells.filter((cell) => cell !== 'word').flatMap((cell) => cell.split(', ')));
}

/** Returns the words of an identifier: `sendQueue`, `HTTPPort` and `MAX_AGE` have two each. */
function wordsIn(identifier: string): readonly string[] {
  return identifier
    .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$]/)
    .map((word) => word.toLowerCase());
}

function unusedIn({ file, code, comments }: SourceText, unused: ReadonlySet<string>): string[] {
  const isException = (place: string) => exceptions.some(([name]) => place.includes(name));
  const identifiers = (code.match(/[A-Za-z_$][\w$]*/g) ?? []).filter((identifier) =>
    wordsIn(identifier).some((word) => unused.has(word)),
  );
  const sentences = comments.filter((words) =>
    (words.match(/[A-Za-z]+/g) ?? []).some((word) => unused.has(word.toLowerCase())),
  );
  const wrong = [...identifiers, ...sentences].filter((place) => !isException(place));
  return [...new Set(wrong)].map((place) => `${file}: ${place}`);
}

test('the glossary names words that are not used, and this test finds them', () => {
  const unused = unusedWords();
  expect(unused.size).toBeGreaterThan(10);
  const source = [
    '/** Waits in the outbox. */',
    "const outboxSize = 'outbox'; // No reply",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code in a text
    'f(`surroundings ${theSurroundings}`, "http://house");',
  ].join('\n');
  expect(unusedIn(split('a.ts', source), unused)).toEqual([
    'a.ts: outboxSize',
    'a.ts: theSurroundings',
    'a.ts: Waits in the outbox.',
    'a.ts: No reply',
  ]);
});

test('no name and no comment of the packages uses one of these words', () => {
  const unused = unusedWords();
  expect(sources.flatMap((source) => unusedIn(source, unused))).toEqual([]);
});

test('each exception is needed', () => {
  const all = sources.flatMap(({ code, comments }) => [code, ...comments]).join('\n');
  expect(exceptions.filter(([name]) => !all.includes(name))).toEqual([]);
});

test('comments begin with a noun or a verb: at most 1 in 50 with What, Whether or How', () => {
  const comments = sources.flatMap(({ file, comments }) => comments.map((words) => `${file}: ${words}`));
  const wrong = comments.filter((words) => /: (?:What|Whether|How)\b/.test(words));
  expect(comments.length).toBeGreaterThan(5000);
  expect(wrong.length, wrong.join('\n')).toBeLessThan(comments.length / 50);
});
