import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The checks of axe-core, as a script that runs before those of a page: its Content-Security-Policy forbids later ones. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical faults of the page as it is now, a line each, with the element. The page was opened with `axe`. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
  if (!Array.isArray(found)) throw new Error('axe-core gave no list');
  return found.map(String);
}
