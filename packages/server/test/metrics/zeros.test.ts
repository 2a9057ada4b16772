import { legacyErrorNames } from '@azimuth/telegrams/legacy';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';

const page = async (scanner: TestScanner) =>
  (await scanner.client().send({ method: 'GET', path: '/metrics' })).text;

/** The samples of a metric: their labels, and their values. */
const samplesIn = (text: string, metric: string) =>
  [...text.matchAll(new RegExp(`^${metric}\\{(.*)\\} (\\S+)$`, 'gm'))].map(([, labels, value]) => [
    labels,
    value,
  ]);

const streams = ['scan', 'imu', 'encoder', 'ros2'];
const losses = [
  'refused',
  'unreachable',
  'too_large',
  'not_permitted',
  'congested',
  'slow',
  'no_port',
  'inner',
  'other',
];

/** Prometheus does not see the first increase of a series that begins with it. */
test.each([
  [
    'azimuth_unexpected_errors_total',
    [
      'timer',
      'reboot',
      'measuring',
      'http',
      'events',
      'legacy',
      'streams',
      'search',
      'dns_sd',
      'ptp',
      'control',
      'process',
    ].map((where) => `where="${where}"`),
  ],
  [
    'azimuth_turned_away_total',
    ['connections', 'rate', 'host', 'origin', 'expectation', 'broken', 'handshake', 'reboot'].map(
      (reason) => `reason="${reason}"`,
    ),
  ],
  [
    'azimuth_telegram_errors_total',
    streams.flatMap((stream) => losses.map((reason) => `stream="${stream}",reason="${reason}"`)),
  ],
  ['azimuth_legacy_errors_total', legacyErrorNames.map((error) => `error="${error}"`)],
  ['azimuth_saves_total', ['result="stored"', 'result="failed"']],
])('%s begins at 0 for all labels that it can have', async (metric, labels) => {
  const text = await page(await TestScanner.start());
  expect(samplesIn(text, metric)).toEqual(labels.map((each) => [each, '0']));
});

test('only the requests by endpoint and by page have no sample before they are counted', async () => {
  const text = await page(await TestScanner.start());
  const counters = [...text.matchAll(/^# TYPE (azimuth_\w+) counter$/gm)].map(([, name = '']) => name);
  expect(counters.length).toBeGreaterThan(20);
  expect(counters.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text))).toEqual([
    'azimuth_requests_total',
    'azimuth_page_requests_total',
  ]);
});

test('counters end with _total and nothing else does, and only parts of histograms and summaries with _count', async () => {
  const text = await page(await TestScanner.start());
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  expect(types.length).toBeGreaterThan(40);
  for (const { name, type } of types) {
    expect(name.endsWith('_total'), `${name} is a ${type}`).toBe(type === 'counter');
    expect(name).not.toMatch(/_(count|sum|bucket)$/);
  }
});
