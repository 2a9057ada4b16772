import { expect, test } from 'vitest';
import { metricsIn, samplesOf } from '../../src/doctor/metrics-page.js';

test('labels are read with their escapes', () => {
  const page = metricsIn('azimuth_x{a="1",b="say \\"no\\", go"} 7\nazimuth_y 8\n# HELP azimuth_z\n');
  expect(samplesOf(page, 'azimuth_x')).toEqual([{ labels: { a: '1', b: 'say "no", go' }, value: 7 }]);
  expect(samplesOf(page, 'azimuth_y')).toEqual([{ labels: {}, value: 8 }]);
});

test('a page of a stranger is read in one pass: labels without an end have none', () => {
  // Read again from each letter, this would take hours.
  const page = metricsIn(`azimuth_x{${'a'.repeat(4_000_000)}} 7\n`);
  expect(samplesOf(page, 'azimuth_x')).toEqual([{ labels: {}, value: 7 }]);
});
