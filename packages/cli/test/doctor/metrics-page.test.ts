import { expect, test } from 'vitest';
import { matchingSamples, metricsIn } from '../../src/doctor/metrics-page.js';

test('labels are read with their escapes', () => {
  const page = metricsIn('azimuth_x{a="1",b="say \\"no\\", go"} 7\nazimuth_y 8\n# HELP azimuth_z\n');
  expect(matchingSamples(page, 'azimuth_x')).toEqual([{ labels: { a: '1', b: 'say "no", go' }, value: 7 }]);
  expect(matchingSamples(page, 'azimuth_y')).toEqual([{ labels: {}, value: 8 }]);
});

test('a page of a stranger is read in one pass: labels without an end have none', () => {
  // Without the single pass, this would take hours.
  const page = metricsIn(`azimuth_x{${'a'.repeat(4_000_000)}} 7\n`);
  expect(matchingSamples(page, 'azimuth_x')).toEqual([{ labels: {}, value: 7 }]);
});
