import { expect, test } from 'vitest';
import { certificateValidity } from '../src/index.js';

const dates = { validNotBefore: 'Jan 01 00:00:00 2026 GMT', validNotAfter: 'Dec 31 00:00:00 2026 GMT' };

test.each([
  ['2025-12-31T23:59:59Z', { state: 'not yet' }],
  ['2026-06-01T00:00:00Z', { state: 'valid', days: 213 }],
  ['2026-12-01T00:00:00Z', { state: 'valid', days: 30 }],
  ['2026-12-01T00:00:01Z', { state: 'ends soon', days: 29 }],
  ['2026-12-30T12:00:00Z', { state: 'ends soon', days: 0 }],
  ['2026-12-31T00:00:01Z', { state: 'expired' }],
])('at %s a certificate of one year is %j', (now, validity) => {
  expect(certificateValidity(dates, Date.parse(now))).toEqual(validity);
});

test('dates that cannot be read are not judged', () => {
  expect(certificateValidity({ ...dates, validNotAfter: ' '.repeat(24) }, 0)).toEqual({ state: 'unknown' });
});
