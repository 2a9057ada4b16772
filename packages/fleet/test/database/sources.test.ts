import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..', '..', 'src');

test('only the entries for databases and workers load the client library of PostgreSQL', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const [own, others] = [true, false].map((isOwn) =>
    files.filter((file) => ['database', 'worker'].some((folder) => file.startsWith(folder + sep)) === isOwn),
  );
  const importing = (list: readonly string[] | undefined, what: RegExp) =>
    (list ?? []).filter((file) => what.test(readFileSync(join(source, file), 'utf8')));
  expect(importing(own, /from 'pg'/).length).toBeGreaterThan(0);
  expect(importing(others, /from '(pg|.*\/(database|worker)\/.*)'/)).toEqual([]);
});
