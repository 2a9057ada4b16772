// The order of test files. A long one that begins last would leave all cores but one idle, and a fresh clone has no times of
// an earlier run: scripts/longest-tests.json lists the files that take longest, the longest first.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const longest = JSON.parse(readFileSync(new URL('longest-tests.json', import.meta.url), 'utf8'));
const ranks = new Map(longest.map((file, rank) => [file, rank]));
const nameOf = ({ moduleId }) => relative(root, moduleId).replaceAll(sep, '/');
const rankOf = (file) => ranks.get(nameOf(file));

/** Those that are not listed follow by projects, so that files that may share a worker come together. */
export default class LongestFirst extends BaseSequencer {
  async sort(files) {
    const usual = await super.sort(files);
    return [
      ...usual.filter((file) => ranks.has(nameOf(file))).sort((one, other) => rankOf(one) - rankOf(other)),
      ...usual.filter((file) => !ranks.has(nameOf(file))),
    ];
  }
}
