import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** The built GUI: `npm test` builds it. */
const built = fileURLToPath(new URL('../packages/web/dist', import.meta.url));

/** KB, compressed. */
const most = { firstPage: 120, ofEachScanner: 250, apart: 50 };

/** Parts that only some load: the library of curves, the page of simulations, and the pages of several scanners. */
const apart = /assets\/(?:plot|simulation|scanners-page|site-\w+|history-page)-[\w-]+\.(?:js|css)$/;

const kilobytes = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0) / 1024;

test('the first page of the GUI is small', () => {
  const first = new Set(['index.html']);
  collect('index.html', first);
  // The first page itself is a part that is loaded later, as every page is.
  for (const file of readdirSync(join(built, 'assets'))) {
    if (/^overview-.*\.(js|css)$/.test(file)) collect(join('assets', file), first.add(join('assets', file)));
  }
  expect([...first].some((file) => file.includes('overview-'))).toBe(true);
  expect(first.size).toBeGreaterThan(4);
  expect(kilobytes(first)).toBeLessThanOrEqual(most.firstPage);
});

const all = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));

test('all pages that each scanner has are small together', () => {
  const pages = all.filter((file) => !apart.test(file));
  expect(pages).toContain('index.html');
  expect(kilobytes(pages)).toBeLessThanOrEqual(most.ofEachScanner);
});

test('curves, simulation and pages of several scanners are parts of their own, and small together', () => {
  const parts = all.filter((file) => apart.test(file));
  expect(parts.length).toBeGreaterThan(3);
  expect(kilobytes(parts)).toBeLessThanOrEqual(most.apart);
});

/** Adds what a file loads at once: the scripts and styles of a page, the imports of a script. */
function collect(file: string, into: Set<string>): void {
  const text = readFileSync(join(built, file), 'utf8');
  const found = text.matchAll(
    /(?:\bfrom|\bimport|\bsrc=|\bhref=)\s*"\.\/(?:assets\/)?([\w.-]+\.(?:js|css))"/g,
  );
  for (const [, name = ''] of found) {
    const path = join('assets', name);
    if (into.has(path)) continue;
    into.add(path);
    collect(path, into);
  }
}
