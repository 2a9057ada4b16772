import { expect, onTestFinished, test, vi } from 'vitest';
import { ScannerLink } from '../../src/connection/scanner-link.js';
import { metricsWatch, sendingOf, sentTelegramsIn } from '../../src/data-route/sending.js';

function sample(at: number, telegrams: number, refused = 0, lost = 0) {
  return { sent: { telegrams, refused, lost, down: undefined }, at };
}

test('the rate is what was sent between two looks', () => {
  expect(sendingOf(sample(3000, 1300), sample(1000, 1000))).toMatchObject({ rate: 150, isRefused: false });
});

test('telegrams are refused, or lost, only if more were since the look before', () => {
  expect(sendingOf(sample(2000, 200, 9), sample(0, 100, 9))).toMatchObject({
    isRefused: false,
    isLosing: false,
  });
  expect(sendingOf(sample(2000, 200, 10, 1), sample(0, 100, 9, 0))).toMatchObject({
    isRefused: true,
    isLosing: true,
  });
});

test('the first look, and the first one after a restart, know no rate', () => {
  expect(sendingOf(sample(2000, 200, 3), undefined)).toMatchObject({ rate: undefined, isRefused: false });
  expect(sendingOf(sample(4000, 20, 5), sample(2000, 200, 3))).toMatchObject({
    rate: undefined,
    isRefused: false,
  });
});

const page = `# HELP azimuth_telegrams_total Telegrams of data streams.
# TYPE azimuth_telegrams_total counter
azimuth_telegrams_total{stream="scan"} 1480
azimuth_telegrams_total{stream="imu"} 7
azimuth_telegram_errors_total{stream="scan",reason="refused"} 12
azimuth_telegram_errors_total{stream="scan",reason="congested"} 3
azimuth_telegram_errors_total{stream="scan",reason="slow"} 4
azimuth_telegram_errors_total{stream="imu",reason="refused"} 900
azimuth_stream_down{stream="imu",reason="no_port"} 1
azimuth_scans_total 5
`;

test('the counts of one stream are read from the metrics: sent, refused, lost for other reasons', () => {
  expect(sentTelegramsIn(page, 'scan')).toEqual({ telegrams: 1480, refused: 12, lost: 7, down: undefined });
});

test('a stream that cannot send tells why', () => {
  expect(sentTelegramsIn(page, 'imu')).toEqual({ telegrams: 7, refused: 900, lost: 0, down: 'no_port' });
});

test('a page without the stream tells nothing', () => {
  expect(sentTelegramsIn(page, 'ros2')).toBeUndefined();
  expect(sentTelegramsIn('<!doctype html>', 'scan')).toBeUndefined();
});

test('what is not written as the scanner writes it is left out', () => {
  const told = (text: string) => sentTelegramsIn(`azimuth_telegrams_total{stream="scan"${text}`, 'scan');
  expect(told('} 1.5e+06')?.telegrams).toBe(1_500_000);
  expect(['} 1.2.3', '} e', '} 1e+999', '\n} 5', '} -1'].map(told)).toEqual(Array(5).fill(undefined));
});

test('a hostile page is read in no time', () => {
  // Each of its lines begins labels that do not end.
  expect(sentTelegramsIn('a{\n'.repeat(300_000), 'scan')).toBeUndefined();
});

test('a product of its own has a prefix of its own', () => {
  const own = `acme_scanner_info{serial="1"} 1\n${page.replaceAll('azimuth_', 'acme_')}`;
  expect(sentTelegramsIn(own, 'scan')).toEqual({ telegrams: 1480, refused: 12, lost: 7, down: undefined });
});

test('counts are unknown while they cannot be read, whatever was read before', async () => {
  const nothing = () => null;
  vi.stubGlobal('sessionStorage', { getItem: nothing, setItem: nothing, removeItem: nothing });
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const answers = [
    () => new Response(page),
    () => Promise.reject(new TypeError('gone')),
    () => new Response(page),
    () => new Response('', { status: 500 }),
  ];
  vi.stubGlobal('fetch', async () => answers.shift()?.());
  const watch = metricsWatch(new ScannerLink('http://127.0.0.1:1'));
  const end = watch.open();
  const kinds: string[] = [];
  for (let poll = 0; poll < 4; poll++) {
    await vi.advanceTimersByTimeAsync(poll === 0 ? 100 : 2000);
    kinds.push(watch.sendingOf('imu').kind);
  }
  end();
  expect(kinds).toEqual(['known', 'unknown', 'known', 'unknown']);
});
