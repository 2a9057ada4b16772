// Makes the list of slow tests, scripts/slow-tests.json, of a report of vitest:
//
//   npx vitest run --project unit --project unit-slow --project sockets --project sockets-slow \
//     --reporter=json --outputFile=report.json
//   node scripts/slow-tests.mjs report.json
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Time in ms from which on a file is slow. */
const slowFrom = 800;

/** Tests of the structure stay where every change meets them. */
const kept = ['tests/structure.test.ts'];

const root = fileURLToPath(new URL('..', import.meta.url));
const [report] = process.argv.slice(2);
if (report === undefined) {
  process.stderr.write('expected the path of a report of vitest (--reporter=json)\n');
  process.exit(2);
}
const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
const slow = testResults
  .filter(({ startTime, endTime }) => endTime - startTime >= slowFrom)
  .map(({ name }) => relative(root, name))
  .filter((name) => !kept.includes(name));
writeFileSync(join(root, 'scripts', 'slow-tests.json'), `${JSON.stringify(slow.sort(), null, 2)}\n`);
