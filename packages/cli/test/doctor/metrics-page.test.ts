import { expect, test } from 'vitest';
import { matchingSamples, metricsIn } from '../../src/doctor/metrics-page.js';

test('labels are read with their escapes', () => {
  const page = metricsIn('azimuth_x{a="1",b="say \\"no\\", go"} 7\nazimuth_y 8\n# HELP azimuth_z\n');
  expect(matchingSamples(page, 'x')).toEqual([{ labels: { a: '1', b: 'say "no", go' }, value: 7 }]);
  expect(matchingSamples(page, 'y')).toEqual([{ labels: {}, value: 8 }]);
});

test('a page of a stranger is read in one pass: labels without an end have none', () => {
  // Without the single pass, this would take hours.
  const page = metricsIn(`azimuth_x{${'a'.repeat(4_000_000)}} 7\n`);
  expect(matchingSamples(page, 'x')).toEqual([{ labels: {}, value: 7 }]);
});

test('the prefix of the metrics is the one of the product, in front of _scanner_info', () => {
  const page = metricsIn('acme_x 7\nacme_gate_x 8\nacme_gate_scanner_info{serial="1"} 1\nprocess_x 9\n');
  expect([...page.keys()]).toEqual(['x', 'scanner_info']);
  expect(matchingSamples(page, 'x')).toEqual([{ labels: {}, value: 8 }]);
});
