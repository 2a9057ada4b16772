// Makes the list of the longest tests, scripts/longest-tests.json, of reports of vitest (--reporter=json):
//
//   node scripts/longest-tests.mjs report.json…
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Time in ms from which on a file is listed. */
const longFrom = 10_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = process.argv.slice(2);
if (reports.length === 0) {
  process.stderr.write('expected the paths of reports of vitest (--reporter=json)\n');
  process.exit(2);
}
const files = reports
  .flatMap((report) => JSON.parse(readFileSync(report, 'utf8')).testResults)
  .map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }))
  .filter(({ ms }) => ms >= longFrom)
  .sort((one, other) => other.ms - one.ms);
const names = files.map(({ name }) => name);
writeFileSync(join(root, 'scripts', 'longest-tests.json'), `${JSON.stringify(names, null, 2)}\n`);
