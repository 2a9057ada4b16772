import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder with the scenes, plans and tests of docs/driver-time.md. */
export const examplesFolder = join(root, 'examples', 'driver-time');

const page = readFileSync(join(root, 'docs', 'driver-time.md'), 'utf8');

/** The files that the page prints, by their names: each behind a line with its link. */
export const printedFiles: ReadonlyMap<string, string> = new Map(
  [
    ...page.matchAll(
      /\[`?(?<name>[\w./-]+)`?\]\(\.\.\/examples\/driver-time\/\k<name>\):\n\n```\w+\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, name = '', content = '']) => [name, content]),
);

/** The mistakes of drivers that the page names, with the test that finds each. */
export const namedMistakes: readonly { readonly mistake: string; readonly file: string }[] = [
  ...page.matchAll(/^DRIVER_MISTAKE=([\w-]+) npx vitest run examples\/driver-time\/([\w-]+\.test\.ts)$/gm),
].map(([, mistake = '', file = '']) => ({ mistake, file }));

/** The files of the folder, with those of `scenes` and `plans`. */
export const exampleFiles: readonly string[] = readdirSync(examplesFolder, { recursive: true })
  .map(String)
  .filter((name) => /\.\w+$/.test(name));

export const exampleOf = (name: string): string => readFileSync(join(examplesFolder, name), 'utf8');
