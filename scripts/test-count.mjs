import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache/', import.meta.url));
const file = `${cache}test-count`;
const failuresFile = `${cache}test-failures`;

/**
 * Leaves `N passed, N failed` in .cache/test-count and the text of each failure in .cache/test-failures; within
 * `.ci/run`, the sum and all failures of its runs.
 */
export function leaveCount(passed, failures) {
  const summing = Boolean(process.env.AZIMUTH_SUM_TESTS);
  const [before = 0, failedBefore = 0] = summing ? left() : [];
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, `${before + passed} passed, ${failedBefore + failures.length} failed\n`);
  const texts = failures.map((text) => `${text}\n\n`).join('');
  if (summing) appendFileSync(failuresFile, texts);
  else writeFileSync(failuresFile, texts);
}

function left() {
  try {
    return readFileSync(file, 'utf8').match(/\d+/g).map(Number);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
