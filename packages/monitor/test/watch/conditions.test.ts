import { expect, onTestFinished, test } from 'vitest';
import { defaultLimits } from '../../src/conditions/limits.js';
import { watching } from './watching.js';

test('a scanner that works is in no condition', async () => {
  const { clock, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(3600);
  expect(conditions()).toEqual([]);
  expect(monitor.snapshots[0]).toMatchObject({
    reachable: true,
    serial: '23450001',
    release: '2.4.4',
    events: 'connected',
    malformed: [],
    unsaved: [],
    clockOffset: 0.5,
  });
});

test('a scanner that does not answer is unreachable after 30 s, once, and back at once', async () => {
  const { clock, scanner, monitor, conditions, store } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(60);
  scanner.behaviour = 'refuses connections';
  scanner.dropListeners();
  const away = clock.now();
  await clock.advance(3600);
  expect(conditions()).toEqual(['scanner1 begins unreachable']);
  const begins = store.entries.find(({ kind }) => kind === 'condition');
  expect(begins?.at).toBe(away + 30_000);
  scanner.behaviour = 'answers';
  await clock.advance(60);
  expect(conditions()).toEqual(['scanner1 begins unreachable', 'scanner1 ends unreachable']);
});

test('a scanner that is away for less than 30 s makes no alarm', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(60);
  for (let times = 0; times < 20; times++) {
    scanner.behaviour = 'refuses connections';
    scanner.dropListeners();
    await clock.advance(25);
    scanner.behaviour = 'answers';
    await clock.advance(40);
  }
  expect(conditions()).toEqual([]);
  expect(monitor.snapshots[0]?.counts.failedLooks).toBeGreaterThan(19);
});

test('a scanner that is away is asked with growing pauses, at most once a minute in the end', async () => {
  const { clock, scanner, monitor } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(60);
  scanner.behaviour = 'hangs';
  scanner.dropListeners();
  await clock.advance(600);
  const asked = scanner.askedAt.length;
  await clock.advance(3600);
  expect(scanner.askedAt.length - asked).toBeGreaterThan(55);
  expect(scanner.askedAt.length - asked).toBeLessThan(75);
});

test('a fault that comes as an event is logged within a second', async () => {
  const { clock, scanner, monitor, store, entries, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(61);
  expect(scanner.listeners).toBe(1);
  const asked = scanner.asked.length;
  scanner.push('DeviceStatus', 7);
  const at = clock.now();
  await clock.advance(1);
  expect(conditions()).toEqual(['scanner1 begins device-status']);
  expect(entries('value')).toMatchObject([{ name: 'DeviceStatus', before: 3, after: 7 }]);
  expect(store.entries.at(-1)?.at).toBeLessThan(at + 1000);
  expect(scanner.asked.length).toBe(asked);
});

test('a release without events is polled only', async () => {
  const { clock, scanner, monitor, conditions } = await watching({ version: '1.5.0.0R' });
  onTestFinished(() => monitor.close());
  await clock.advance(60);
  expect(scanner.listeners).toBe(0);
  expect(monitor.snapshots[0]?.events).toBe('none');
  scanner.values.set('DeviceStatus', 7);
  await clock.advance(10);
  expect(conditions()).toEqual(['scanner1 begins device-status']);
});

test('dirt is reported sector by sector, by the limits of each sector', async () => {
  const limits = { ...defaultLimits, sectors: { 2: 'error', 3: 'never' } } as const;
  const { clock, scanner, monitor, conditions } = await watching({ limits });
  onTestFinished(() => monitor.close());
  await clock.advance(60);
  scanner.push('ContaminationData', [2, 2, 3, 1, 1, 1, 1]);
  await clock.advance(60);
  expect(conditions()).toEqual(['scanner1 begins contamination sector 1']);
  scanner.push('ContaminationData', [3, 3, 3, 1, 1, 1, 1]);
  await clock.advance(60);
  scanner.push('ContaminationData', [1, 1, 1, 1, 1, 1, 1]);
  await clock.advance(60);
  expect(conditions().slice(1)).toEqual([
    'scanner1 begins contamination-error sector 1',
    'scanner1 begins contamination-error sector 2',
    'scanner1 ends contamination sector 1',
    'scanner1 ends contamination-error sector 1',
    'scanner1 ends contamination-error sector 2',
  ]);
});

test('a temperature at its limit begins once, and ends when it is well below', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  for (let minute = 0; minute < 60; minute++) {
    scanner.values.set('CurrentTempDev', minute % 2 === 0 ? 60.4 : 59.6);
    await clock.advance(60);
  }
  scanner.values.set('CurrentTempDev', 61);
  await clock.advance(120);
  scanner.values.set('CurrentTempDev', 59);
  await clock.advance(300);
  expect(conditions()).toEqual(['scanner1 begins temperature']);
  scanner.values.set('CurrentTempDev', 57);
  await clock.advance(300);
  expect(conditions().at(-1)).toBe('scanner1 ends temperature');
});

test('a clock that drifts is wrong, also while it passes by the difference of a time zone', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(120);
  for (let second = 0; second <= 7200; second += 60) {
    scanner.ahead = second;
    await clock.advance(60);
  }
  expect(conditions()).toEqual(['scanner1 begins clock']);
});

test('a clock of another time zone is right', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  scanner.ahead = 3600;
  await clock.advance(600);
  scanner.ahead = 7200;
  await clock.advance(600);
  expect(conditions()).toEqual([]);
});

test('a certificate is renewed in time, or ends', async () => {
  const { clock, scanner, monitor, conditions } = await watching({ interval: 3600 });
  onTestFinished(() => monitor.close());
  scanner.values.set('certificateBundleInfo', {
    uuidBundle: '',
    errorCode: { error: 'None' },
    certificates: [
      {
        ...{ names: [], issuer: '', subject: '', serialNumber: '', fingerprint: '' },
        validNotBefore: 'Jan  1 00:00:00 2026 GMT',
        validNotAfter: 'Mar  1 00:00:00 2026 GMT',
      },
    ],
  });
  await clock.advance(14 * 86_400);
  expect(conditions()).toEqual([]);
  await clock.advance(2 * 86_400);
  expect(conditions()).toEqual(['scanner1 begins certificate']);
  await clock.advance(30 * 86_400);
  expect(conditions()).toEqual(['scanner1 begins certificate', 'scanner1 begins certificate-ended']);
});

test('a scanner without a backup for days is one, also while it does not answer', async () => {
  let archived = Number.NaN;
  const { clock, scanner, monitor, conditions } = await watching({
    interval: 3600,
    archivedAt: () => archived,
  });
  onTestFinished(() => monitor.close());
  archived = clock.now();
  await clock.advance(2.9 * 86_400);
  expect(conditions()).toEqual([]);
  scanner.behaviour = 'refuses connections';
  await clock.advance(0.3 * 86_400);
  expect(conditions()).toEqual(['scanner1 begins unreachable', 'scanner1 begins backup']);
  scanner.behaviour = 'answers';
  archived = clock.now();
  await clock.advance(0.3 * 86_400);
  expect(conditions().slice(2).toSorted()).toEqual(['scanner1 ends backup', 'scanner1 ends unreachable']);
});

test('an unexpected release, a locked login and a value that the interface does not allow are conditions', async () => {
  const limits = { ...defaultLimits, releases: ['2.4.4'] };
  const { clock, scanner, monitor, conditions, entries } = await watching({ limits });
  onTestFinished(() => monitor.close());
  await clock.advance(60);
  scanner.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.3.3.0R' });
  await clock.advance(61);
  expect(conditions()).toEqual(['scanner1 begins firmware']);
  expect(entries('value')).toMatchObject([{ name: 'Firmware', before: '2.4.4.0R', after: '2.3.3.0R' }]);
  monitor.loginsLocked('scanner1');
  await clock.advance(90);
  scanner.values.set('CurrentTempDev', Number.NaN);
  await clock.advance(90);
  scanner.values.set('CurrentTempDev', 30);
  await clock.advance(90);
  expect(conditions().slice(1)).toEqual([
    'scanner1 begins logins-locked',
    'scanner1 ends logins-locked',
    'scanner1 begins malformed',
    'scanner1 ends malformed',
  ]);
});

test('another scanner at the address is a condition, and its values are not taken for those of the first', async () => {
  const { clock, scanner, monitor, conditions, entries } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(600);
  scanner.values.set('SerialNumber', '99999999');
  scanner.values.set('DeviceStatus', 8);
  scanner.values.set('LocationName', 'elsewhere');
  scanner.values.set('CurrentTempDev', 90);
  await clock.advance(3600);
  expect(conditions()).toEqual(['scanner1 begins wrong-scanner']);
  expect(entries('parameter')).toEqual([]);
  expect(monitor.snapshots[0]?.values.size).toBe(0);
  scanner.values.set('SerialNumber', '23450001');
  scanner.values.set('DeviceStatus', 3);
  scanner.values.set('LocationName', 'not defined');
  scanner.values.set('CurrentTempDev', 30);
  await clock.advance(600);
  expect(conditions()).toEqual(['scanner1 begins wrong-scanner', 'scanner1 ends wrong-scanner']);
  expect(entries('parameter')).toEqual([]);
});
