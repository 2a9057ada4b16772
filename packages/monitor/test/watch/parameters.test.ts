import { expect, onTestFinished, test } from 'vitest';
import type { ParameterEntry } from '../../src/log/log-entry.js';
import { FakeScanner } from './fake-scanner.js';
import { conditionsIn, type Kept, kept, monitorOf, watching } from './watching.js';

/** Time (s) after which each parameter was read at least once, and once more. */
const twoRounds = 640;

function changesIn({ store }: Pick<Kept, 'store'>): readonly unknown[] {
  return store.entries
    .filter((entry): entry is ParameterEntry => entry.kind === 'parameter')
    .map(({ scanner, parameter, before, after }) => [scanner, parameter, before, after]);
}

/** Saves the parameters of a scanner at this moment, as its clock shows it. */
function save(scanner: FakeScanner, time: string): void {
  scanner.values.set('LastParaTime', time);
}

test('each changed part of a parameter is logged once, with its value before and after', async () => {
  const { clock, scanner, monitor, store } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(twoRounds);
  expect(changesIn({ store })).toEqual([]);
  scanner.values.set('LocationName', 'Gate 3');
  const settings = scanner.values.get('ScanDataEthSettings');
  scanner.values.set('ScanDataEthSettings', { ...Object(settings), Port: 2116 });
  await clock.advance(twoRounds);
  expect(changesIn({ store })).toEqual([
    ['scanner1', 'LocationName', 'not defined', 'Gate 3'],
    ['scanner1', 'ScanDataEthSettings.Port', 2115, 2116],
  ]);
  expect(monitor.snapshots[0]?.counts.parameterChanges).toBe(2);
});

test('parameters are read in small pieces, and one request at a time', async () => {
  const { clock, scanner, monitor } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(3600);
  expect(scanner.mostOpen).toBe(1);
  const perMinute = new Map<number, number>();
  for (const at of scanner.askedAt.slice(200)) {
    const minute = Math.floor(at / 60_000);
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
  }
  expect(Math.max(...perMinute.values())).toBeLessThan(90);
});

test('a change that is not saved is a condition after an hour, and ends when it is saved', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(twoRounds);
  scanner.values.set('LocationName', 'Gate 3');
  await clock.advance(twoRounds);
  expect(monitor.snapshots[0]?.unsaved).toEqual(['LocationName']);
  expect(conditions()).toEqual([]);
  await clock.advance(3600);
  expect(conditions()).toEqual(['scanner1 begins unsaved']);
  save(scanner, '13:30');
  await clock.advance(60);
  expect(conditions()).toEqual(['scanner1 begins unsaved', 'scanner1 ends unsaved']);
});

test('a change that is saved, also in the minute of another save, is not unsaved', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(twoRounds);
  scanner.values.set('LocationName', 'Gate 3');
  save(scanner, '13:30');
  await clock.advance(20);
  // Saved again, and LastParaTime stays 13:30.
  scanner.values.set('LocationName', 'Gate 4');
  await clock.advance(4 * 3600);
  expect(conditions()).toEqual([]);
});

test('a change after a save is unsaved', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(twoRounds);
  save(scanner, '13:30');
  await clock.advance(180);
  scanner.values.set('LocationName', 'Gate 4');
  await clock.advance(2 * 3600);
  expect(conditions()).toEqual(['scanner1 begins unsaved']);
});

test('a power cut brings the saved value back: what was unsaved is gone', async () => {
  const { clock, scanner, monitor, conditions, entries } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(twoRounds);
  scanner.values.set('LocationName', 'Gate 3');
  await clock.advance(2 * 3600);
  expect(conditions()).toEqual(['scanner1 begins unsaved']);
  scanner.values.set('LocationName', 'not defined');
  scanner.values.set('PowerOnCnt', 6);
  await clock.advance(60);
  expect(conditions()).toEqual(['scanner1 begins unsaved', 'scanner1 ends unsaved']);
  expect(entries('happening')).toMatchObject([
    { what: 'boot', text: 'power was switched on: PowerOnCnt is 6' },
  ]);
  expect(monitor.snapshots[0]?.restarts).toBe(1);
});

test('a scanner drifts from its site file, whose structs may name some members only', async () => {
  const expected = new Map<string, unknown>([
    ['LocationName', 'Gate 3'],
    ['ScanDataEthSettings', { Port: 2115 }],
  ]);
  const { clock, scanner, monitor, conditions } = await watching({ expected: () => expected });
  onTestFinished(() => monitor.close());
  await clock.advance(twoRounds);
  expect(conditions()).toEqual(['scanner1 begins drift']);
  expect(monitor.snapshots[0]?.drift).toEqual(['LocationName']);
  scanner.values.set('LocationName', 'Gate 3');
  await clock.advance(twoRounds);
  expect(conditions()).toEqual(['scanner1 begins drift', 'scanner1 ends drift']);
});

test('a monitor that starts again logs once what has changed meanwhile', async () => {
  const parts = kept();
  const scanner = new FakeScanner(parts.clock);
  const first = await monitorOf([{ scanner }], parts);
  await parts.clock.advance(twoRounds);
  await first.close();
  scanner.values.set('LocationName', 'Gate 3');
  scanner.values.set('PowerOnCnt', 8);
  scanner.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.3.3.0R' });
  for (let starts = 0; starts < 3; starts++) {
    const next = await monitorOf([{ scanner }], parts);
    await parts.clock.advance(twoRounds);
    await next.close();
  }
  expect(changesIn(parts)).toEqual([['scanner1', 'LocationName', 'not defined', 'Gate 3']]);
  expect(parts.store.entries.filter(({ kind }) => kind === 'happening')).toMatchObject([
    { what: 'boot', text: 'power was switched on 3 times: PowerOnCnt is 8' },
  ]);
  expect(parts.store.entries.filter(({ kind }) => kind === 'value')).toHaveLength(1);
});

test('a monitor that was killed after it logged a change does not log it again', async () => {
  const parts = kept();
  const scanner = new FakeScanner(parts.clock);
  const first = await monitorOf([{ scanner }], parts);
  await parts.clock.advance(twoRounds);
  // From now on nothing that was seen reaches the disk, as if the process ended before.
  parts.lastParameters.write = () => Promise.resolve();
  scanner.values.set('LocationName', 'Gate 3');
  scanner.values.set('DeviceStatus', 4);
  await parts.clock.advance(twoRounds);
  await first.close();
  const next = await monitorOf([{ scanner }], { ...parts });
  onTestFinished(() => next.close());
  await parts.clock.advance(twoRounds);
  expect(changesIn(parts)).toHaveLength(1);
  expect(parts.store.entries.filter(({ kind }) => kind === 'value')).toHaveLength(1);
  expect(conditionsIn(parts.store)).toEqual(['scanner1 begins not-measuring']);
});

test('conditions go on over a restart: none begins twice, and each ends', async () => {
  const parts = kept();
  const [one, other] = [new FakeScanner(parts.clock), new FakeScanner(parts.clock, { serial: '23450002' })];
  const first = await monitorOf([{ scanner: one }, { scanner: other }], parts);
  await parts.clock.advance(60);
  for (const scanner of [one, other]) {
    scanner.behaviour = 'refuses connections';
    scanner.dropListeners();
  }
  await parts.clock.advance(600);
  await first.close();
  // The second scanner is removed from the configuration.
  const next = await monitorOf([{ scanner: one }], parts);
  onTestFinished(() => next.close());
  expect(next.snapshots[0]?.conditions).toMatchObject([{ id: 'unreachable' }]);
  await parts.clock.advance(600);
  one.behaviour = 'answers';
  await parts.clock.advance(120);
  expect(conditionsIn(parts.store)).toEqual([
    'scanner1 begins unreachable',
    'scanner2 begins unreachable',
    'scanner2 ends unreachable',
    'scanner1 ends unreachable',
  ]);
  const ended = parts.store.entries.find((entry) => entry.kind === 'condition' && entry.change === 'ends');
  expect(ended).toMatchObject({ text: 'the scanner is no longer watched' });
});

test('another scanner that stays over a restart of the monitor is logged once, and so is its end', async () => {
  const parts = kept();
  const scanner = new FakeScanner(parts.clock);
  const first = await monitorOf([{ scanner }], parts);
  await parts.clock.advance(60);
  scanner.values.set('SerialNumber', '99999999');
  await parts.clock.advance(60);
  await first.close();
  const second = await monitorOf([{ scanner }], parts);
  await parts.clock.advance(60);
  await second.close();
  scanner.values.set('SerialNumber', '23450001');
  const third = await monitorOf([{ scanner }], parts);
  onTestFinished(() => third.close());
  await parts.clock.advance(60);
  expect(parts.store.entries.filter(({ kind }) => kind === 'value')).toMatchObject([
    { before: '23450001', after: '99999999' },
    { before: '99999999', after: '23450001' },
  ]);
  expect(conditionsIn(parts.store)).toEqual(['scanner1 begins wrong-scanner', 'scanner1 ends wrong-scanner']);
});
