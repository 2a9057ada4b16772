import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache/', import.meta.url));
const file = `${cache}test-count`;
const failuresFile = `${cache}test-failures`;

/**
 * Leaves `N passed, N failed` in .cache/test-count and the text of each failure in .cache/test-failures; within
 * `.ci/run`, a line of each of its runs, which may be under way at the same time, and the failures of all.
 */
export function leaveCount(passed, failures) {
  const leave = process.env.AZIMUTH_SUM_TESTS ? appendFileSync : writeFileSync;
  mkdirSync(cache, { recursive: true });
  leave(file, `${passed} passed, ${failures.length} failed\n`);
  leave(failuresFile, failures.map((text) => `${text}\n\n`).join(''));
}
