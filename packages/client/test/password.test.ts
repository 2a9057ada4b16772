import { expect, test } from 'vitest';
import { legacyPasswordHash } from '../src/password.js';

test.each([
  ['test', 3410122659],
  ['client', 0xf4724744],
  ['main', 0xb21ace26],
  ['servicelevel', 0x81be23aa],
  ['testtest', 0x1920e4c9],
])('the legacy hash of %s is the published one', (password, hash) => {
  expect(legacyPasswordHash(password)).toBe(hash);
});
