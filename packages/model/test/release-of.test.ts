import { expect, test } from 'vitest';
import { releaseOf } from '../src/release.js';

test.each([
  ['2.4.4.0R', '2.4.4'],
  ['1.4.0.0R', '1.4.0'],
  // A release between two known ones has the interface of the older one.
  ['2.3.2.0R', '2.3.1'],
  ['3.0.0.0R', '2.4.4'],
  ['1.0.0.0R', '1.4.0'],
  ['', '1.4.0'],
])('the firmware %s has the interface of release %s', (version, release) => {
  expect(releaseOf(version)).toBe(release);
});
