import { describe, expect, test } from 'vitest';
import { expectData, expectDone } from '../support/envelope.js';
import { array, number, object } from '../support/json.js';
import { decodeScan, type Scan } from '../support/legacy/scan.js';
import { dialects, expectServed, serviceSession, session } from '../support/legacy/scanner.js';
import { struct } from '../support/legacy/types.js';
import { faultOf, type LegacyClient } from '../support/legacy-client.js';
import { profileOf } from '../support/streams/profiles.js';
import { grazesPost, stillRoom, toNearest } from '../support/streams/room.js';
import { LegacyTestBench } from './legacy-test-bench.js';

const turn = 1000 / 15;

async function inFormat3(scene: object = stillRoom): Promise<LegacyTestBench> {
  const scanner = await LegacyTestBench.start({ scene });
  await scanner.write('ScanDataFormat', 3);
  return scanner;
}

/** So many scans of a session that follows them. */
async function scansOf(scanner: LegacyTestBench, client: LegacyClient, count: number): Promise<Scan[]> {
  const scans: Scan[] = [];
  for (let time = 0; scans.length < count && time < 40 * count; time += 1) {
    await scanner.pass(20, 10);
    while (client.untaken > 0 && scans.length < count) scans.push(await client.scan());
  }
  // The last ones may be on their way.
  while (scans.length < count) scans.push(await client.scan());
  return scans;
}

/** Lets scans under way arrive that were begun before a change, and forgets them. */
async function settled(scanner: LegacyTestBench, client: LegacyClient): Promise<void> {
  await scanner.pass(4 * turn, turn / 8);
  await client.request('sRN SCdevicestate');
  client.forget();
}

/** One scan on request. Where there is none yet it may take a turn, so time goes on until it is there. */
async function polled(scanner: LegacyTestBench, client: LegacyClient): Promise<Scan> {
  for (let time = 0; time < 20; time += 1) {
    let answered = false;
    const answer = client.request('sRN LMDscandata').finally(() => {
      answered = true;
    });
    while (!answered) await scanner.pass(turn / 4, turn / 8);
    const telegram = await answer;
    if (telegram.command === 'sRA') return decodeScan(telegram);
    expect([4, 6, 0x14]).toContain(faultOf(telegram));
  }
  throw new Error('no scan within twenty turns');
}

/** Where a value of a channel looks, in 1/10000 degree from the front of the scanner, counter-clockwise. */
const directionOf = (scan: Scan, index: number) =>
  (scan.wide[0]?.start ?? 0) + index * (scan.wide[0]?.step ?? 0) - 900_000;

/** The distance in the direction (degrees from the front) of a scan. */
function distanceAt(scan: Scan, degrees: number): number {
  const channel = scan.wide.find(({ content }) => content === 'DIST1');
  if (channel === undefined) throw new Error('no DIST1');
  const index = Math.round((degrees * 10_000 + 900_000 - channel.start) / channel.step);
  return channel.data[index] ?? Number.NaN;
}

function contents(scan: Scan): readonly string[] {
  return [...scan.wide, ...scan.narrow].map(({ content }) => content);
}

/** All but what counts telegrams and tells when they were sent. */
function measured({ telegram, sent, command, ...scan }: Scan) {
  return scan;
}

describe('a scan on request', () => {
  test('is one and the same in text and in binary', async () => {
    const scanner = await inFormat3();
    await scanner.write('ScanDataConfig', {
      ...object(await scanner.rest.value('ScanDataConfig')),
      bEnableDeviceName: true,
      bEnableTimeBlock: true,
    });
    const [a, b] = [await session(scanner.ports, 'A'), await session(scanner.ports, 'B')];
    await polled(scanner, a);
    await polled(scanner, b);
    const inText = decodeScan(await a.request('sRN LMDscandata'));
    const inBinary = decodeScan(await b.request('sRN LMDscandata '));
    expect(inText.command).toBe('sRA');
    expect(measured(inBinary)).toEqual(measured(inText));
    expect(inText.wide[0]?.data.length).toBe(829);
    expect(inText.name).toBe('not defined');
    expect(inText.serial).toBe(12_345_678);
    expect(inText.frequency).toBe(1500);
    expect(inText.measurements).toBe(162);
    expect([inText.version, inText.device, inText.layer]).toEqual([1, 1, 0]);
    expect([...inText.status, ...inText.inputs]).toEqual([0, 0, 0, 0]);
  });

  test('is answered without a login, in every format, and while nothing is measured any more', async () => {
    const scanner = await LegacyTestBench.start({ scene: stillRoom });
    const client = await session(scanner.ports, 'A');
    for (const format of [1, 2, 3]) {
      await scanner.write('ScanDataFormat', format);
      expect(distanceAt(await polled(scanner, client), 0)).toBe(5000);
    }
    const before = await polled(scanner, client);
    expectData(await scanner.rest.call('mStopMeasure'), { ErrorCode: 0 });
    await scanner.pass(500);
    const after = decodeScan(await client.request('sRN LMDscandata'));
    expect(after.wide.length).toBe(before.wide.length);
    await scanner.pass(500);
    expect(decodeScan(await client.request('sRN LMDscandata')).scan).toBe(after.scan);
  });

  test('sees the room where it is: 0 degrees ahead is 90 on the wire, counter-clockwise', async () => {
    const scanner = await inFormat3();
    const client = await session(scanner.ports, 'B');
    const scan = await polled(scanner, client);
    // Walls 5 m ahead, 3 m to the left, 2 m to the right; by 120 degrees to the left, 3 m / cos 30.
    expect(distanceAt(scan, 0)).toBe(5000);
    expect(distanceAt(scan, 90)).toBe(3000);
    expect(distanceAt(scan, -90)).toBe(2000);
    expect(Math.abs(distanceAt(scan, 120) - 3000 / Math.cos(Math.PI / 6))).toBeLessThanOrEqual(1);
    const [distances] = scan.wide;
    expect(distances).toMatchObject({ start: -480_000, step: 3333, scale: 1, offset: 0 });
    let seen = 0;
    for (const [index, distance] of (distances?.data ?? []).entries()) {
      const direction = ((-138 + index / profileOf(2).beamsPerDegree) * Math.PI) / 180;
      if (grazesPost(direction)) continue;
      seen += 1;
      expect(Math.abs(distance - toNearest(direction)), `beam ${index}`).toBeLessThanOrEqual(0.501);
    }
    expect(seen).toBeGreaterThan(800);
  });

  test.each([1, 3, 8, 9, 11])('tells angles and rates of profile %i', async (number) => {
    const scanner = await inFormat3();
    await scanner.write('PerformanceProfileNumber', number);
    await scanner.pass(400);
    const client = await session(scanner.ports, 'B');
    await polled(scanner, client);
    const scan = await polled(scanner, client);
    const profile = profileOf(number);
    expect(scan.wide[0]?.data.length).toBe(profile.beams);
    expect(scan.wide[0]?.step).toBe(Math.floor(10_000 / profile.beamsPerDegree));
    expect(scan.frequency).toBe(profile.rate * 100);
    const own = Math.round((profile.rate * 360 * profile.beamsPerDegree) / 100);
    expect(Math.abs(scan.measurements - own)).toBeLessThanOrEqual(1);
    expect(Math.abs(distanceAt(scan, 0) - 5000)).toBeLessThanOrEqual(1);
  });
});

describe('scans of a session that follows them', () => {
  test('come once a turn, behind the acknowledge, with counters and times that go on', async () => {
    const scanner = await inFormat3();
    for (const dialect of dialects) {
      const client = await session(scanner.ports, dialect);
      client.send(dialect === 'A' ? 'sEN LMDscandata 1' : 'sEN LMDscandata \x01');
      expect((await client.answer()).command).toBe('sEA');
      expect(client.untaken).toBe(0);
      const scans = await scansOf(scanner, client, 10);
      for (const [index, scan] of scans.entries()) {
        const before = scans[index - 1];
        expect(scan.command).toBe('sSN');
        if (before === undefined) continue;
        expect(scan.telegram - before.telegram).toBe(1);
        expect(scan.scan - before.scan).toBe(1);
        expect(Math.abs(scan.sinceStart - before.sinceStart - 1000 * turn)).toBeLessThanOrEqual(2);
        expect(scan.sent).toBeGreaterThanOrEqual(scan.sinceStart);
      }
      expect(scans.every((scan) => distanceAt(scan, 0) === 5000)).toBe(true);
      await client.follow('LMDscandata', false);
      client.forget();
      await scanner.pass(500);
      await expectServed(client);
      expect(client.untaken).toBe(0);
    }
  });

  test('come to several sessions, in their own frames, and end with each by itself', async () => {
    const scanner = await inFormat3();
    const a = await session(scanner.ports, 'A');
    const b = await session(scanner.ports, 'B');
    const other = await session(scanner.ports, 'B');
    for (const client of [a, b, other]) await client.follow('LMDscandata');
    // A second subscription is acknowledged once more, and sends nothing twice.
    await a.follow('LMDscandata');
    const inText = await scansOf(scanner, a, 5);
    const inBinary = await scansOf(scanner, b, 5);
    for (const scan of inText) {
      const same = inBinary.find((one) => one.scan === scan.scan);
      if (same !== undefined) expect(measured(same)).toEqual(measured(scan));
    }
    expect(new Set(inText.map(({ scan }) => scan)).size).toBe(5);
    other.reset();
    await a.follow('LMDscandata', false);
    await a.request('sRN SCdevicestate');
    a.forget();
    await scansOf(scanner, b, 5);
    await expectServed(a);
    expect(a.untaken).toBe(0);
  });

  test('need no login, and survive Run, a login and requests beside them', async () => {
    const scanner = await inFormat3();
    const client = await session(scanner.ports, 'A');
    await client.follow('LMDscandata');
    await client.login(4);
    await client.call('Run');
    await scansOf(scanner, client, 3);
    expect((await client.request('sRN LMDscandata')).command).toBe('sRA');
    await scansOf(scanner, client, 3);
  });

  test.each([1, 2])('do not come in format %i: acknowledged, and only on request', async (format) => {
    const scanner = await LegacyTestBench.start({ scene: stillRoom });
    await scanner.write('ScanDataFormat', format);
    const client = await session(scanner.ports, 'A');
    await client.follow('LMDscandata');
    await scanner.pass(1000);
    await expectServed(client);
    expect(client.untaken).toBe(0);
    await scanner.write('ScanDataFormat', 3);
    await scansOf(scanner, client, 3);
    await scanner.write('ScanDataFormat', format);
    await settled(scanner, client);
    await scanner.pass(500);
    await expectServed(client);
    expect(client.untaken).toBe(0);
  });

  test.each(['sEN LMDscandata 2', 'sEN LMDscandata', 'sEN LMDscandata x'])(
    'are not asked for by "%s"',
    async (words) => {
      const scanner = await inFormat3();
      const client = await session(scanner.ports, 'A');
      expect([4, 5, 8, 0x11]).toContain(faultOf(await client.request(words)));
      await scanner.pass(300);
      await expectServed(client);
      expect(client.untaken).toBe(0);
    },
  );

  test('are thinned out by the interval filter', async () => {
    const scanner = await inFormat3();
    await scanner.write('LFPintervalFilter', { bEnable: true, uiReductionFactor: 3 });
    const client = await session(scanner.ports, 'B');
    await client.follow('LMDscandata');
    await settled(scanner, client);
    const scans = await scansOf(scanner, client, 4);
    for (const [index, scan] of scans.entries()) {
      const before = scans[index - 1];
      if (before === undefined) continue;
      expect([scan.telegram - before.telegram, scan.scan - before.scan]).toEqual([1, 3]);
    }
  });

  test('show nothing outside of the angle range, and inside of it what is there', async () => {
    const scanner = await inFormat3();
    const own = object(await scanner.rest.value('LFPangleRangeFilter'));
    await scanner.write('LFPangleRangeFilter', {
      ...own,
      bEnable: true,
      fThetaStart: -100_000,
      fThetaStop: 950_000,
    });
    const client = await session(scanner.ports, 'B');
    await client.follow('LMDscandata');
    await settled(scanner, client);
    const [scan] = await scansOf(scanner, client, 1);
    if (scan === undefined) throw new Error('no scan');
    expect(distanceAt(scan, 0)).toBe(5000);
    expect(distanceAt(scan, 90)).toBe(3000);
    const data = scan.wide[0]?.data ?? [];
    const shown = data.flatMap((distance, index) => (distance > 0 ? [directionOf(scan, index)] : []));
    expect(shown.length).toBeGreaterThan(310);
    expect(Math.min(...shown)).toBeGreaterThanOrEqual(-100_500);
    expect(Math.max(...shown)).toBeLessThanOrEqual(950_500);
    // What a driver is told of the range agrees with what it gets.
    const range = (await client.request('sRN LMPoutputRange')).values;
    expect([range.readUInt32BE(2), range.readInt32BE(6)]).toEqual([scan.wide[0]?.step, scan.wide[0]?.start]);
  });
});

describe('what a scan holds', () => {
  async function oneWith(change: object): Promise<Scan> {
    const scanner = await inFormat3();
    const own = object(await scanner.rest.value('ScanDataConfig'));
    await scanner.write('LocationName', 'Tor 3');
    await scanner.write('ScanDataConfig', { ...own, ...change });
    const client = await session(scanner.ports, 'A');
    await client.follow('LMDscandata');
    await settled(scanner, client);
    const [scan] = await scansOf(scanner, client, 1);
    if (scan === undefined) throw new Error('no scan');
    return scan;
  }
  const nothing = { encoders: [], narrow: [], name: undefined, comment: undefined, time: undefined };

  test('as delivered: distances and strengths, nothing behind', async () => {
    const scan = await oneWith({});
    expect(scan).toMatchObject(nothing);
    const [distances, strengths] = [scan.wide[0], scan.wide.find(({ content }) => content === 'RSSI1')];
    expect(distances?.content).toBe('DIST1');
    expect(strengths?.data.length).toBe(distances?.data.length);
    expect([strengths?.start, strengths?.step]).toEqual([distances?.start, distances?.step]);
    expect(
      strengths?.data.every((strength, index) => strength > 0 === (distances?.data[index] ?? 0) > 0),
    ).toBe(true);
  });

  test('no strengths without them', async () => {
    const scan = await oneWith({ RemDataConfig: { bEnable: false, reserved1: 0, reserved2: 0 } });
    expect(scan).toMatchObject(nothing);
    expect(contents(scan).filter((content) => !content.startsWith('DIST'))).toEqual([]);
  });

  test('one encoder with EnableEncoderBlock', async () => {
    const scan = await oneWith({ EnableEncoderBlock: true });
    expect(scan).toMatchObject({ ...nothing, encoders: [{ position: 0, speed: 0 }] });
  });

  test('the location with bEnableDeviceName', async () => {
    expect(await oneWith({ bEnableDeviceName: true })).toMatchObject({ ...nothing, name: 'Tor 3' });
  });

  test('the time of the scanner with bEnableTimeBlock', async () => {
    const { time, ...scan } = await oneWith({ bEnableTimeBlock: true });
    expect(scan.name).toBeUndefined();
    expect(time?.length).toBe(7);
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, micro = 0] = time ?? [];
    expect([month >= 1, month <= 12, day >= 1, day <= 31, hour < 24, minute < 60, second < 60]).not.toContain(
      false,
    );
    expect(year).toBeGreaterThanOrEqual(1970);
    expect(micro).toBeLessThan(1_000_000);
  });

  test('neither position nor comment with members that are reserved', async () => {
    expect(await oneWith({ reserved1: true, reserved2: true })).toMatchObject({
      comment: undefined,
      position: false,
    });
  });

  test('the same under its two names: LMDscandatacfg and ScanDataConfig are one setting', async () => {
    const scanner = await inFormat3();
    const client = await serviceSession(scanner.ports, 'A');
    const before = object(await scanner.rest.value('ScanDataConfig'));
    expect(before.bEnableTimeBlock).toBe(false);
    const answer = await client.request('sWN LMDscandatacfg 01 00 1 1 0 00 00 0 1 0 1 +1');
    expect(answer.payload.toString()).toBe('sWA LMDscandatacfg');
    expect(await scanner.rest.value('ScanDataConfig')).toMatchObject({
      bEnableTimeBlock: true,
      bEnableDeviceName: true,
      EnableEncoderBlock: false,
    });
    await scanner.write('ScanDataConfig', { ...before, EnableEncoderBlock: true });
    const words = (await client.request('sRN LMDscandatacfg')).payload.toString().split(' ');
    expect(words.length).toBe(14);
    // Encoder on; name and time off.
    expect([words[7], words[10], words[12]]).toEqual(['1', '0', '0']);
    const denied = await session(scanner.ports, 'A');
    expect(faultOf(await denied.request('sWN LMDscandatacfg 01 00 1 1 0 00 00 0 1 0 1 +1'))).toBe(0x0a);
  });

  test('every n-th scan by the output rate of LMDscandatacfg', async () => {
    const scanner = await inFormat3();
    const client = await serviceSession(scanner.ports, 'A');
    expect((await client.request('sWN LMDscandatacfg 1 0 1 1 0 0 0 0 0 0 0 +4')).command).toBe('sWA');
    await client.follow('LMDscandata');
    await settled(scanner, client);
    const scans = await scansOf(scanner, client, 3);
    for (const [index, scan] of scans.entries()) {
      const before = scans[index - 1];
      if (before !== undefined)
        expect([scan.telegram - before.telegram, scan.scan - before.scan]).toEqual([1, 4]);
    }
  });

  // Glass 1 m ahead, and the wall 5 m ahead behind it.
  const glazed = {
    ...stillRoom,
    circles: [],
    walls: [{ from: [1, -0.5], to: [1, 0.5], material: 'glass' }],
  };

  test.each([
    [0, ['DIST1'], [1000]],
    [2, ['DIST1'], [5000]],
    [1, ['DIST1', 'DIST2'], [1000, 5000]],
  ])('echoes as FREchoFilter %i lets through', async (filter, distances, ahead) => {
    const scanner = await inFormat3(glazed);
    await scanner.write('FREchoFilter', filter);
    const client = await session(scanner.ports, 'B');
    await client.follow('LMDscandata');
    await settled(scanner, client);
    const [scan] = await scansOf(scanner, client, 1);
    if (scan === undefined) throw new Error('no scan');
    const names = contents(scan);
    const dist = names.filter((name) => name.startsWith('DIST'));
    const rssi = names.filter((name) => name.startsWith('RSSI'));
    expect(dist.slice(0, distances.length)).toEqual(distances);
    expect(rssi).toEqual(dist.map((name) => name.replace('DIST', 'RSSI')));
    expect(names).toEqual([...dist, ...rssi]);
    expect(dist.length).toBeLessThanOrEqual(filter === 1 ? 3 : 1);
    const middle = Math.round((900_000 + 480_000) / 3333);
    expect(scan.wide.slice(0, ahead.length).map(({ data }) => data[middle])).toEqual(ahead);
    expect(new Set(scan.wide.map(({ data }) => data.length)).size).toBe(1);
    // To the left there is one echo, and nothing behind it.
    expect(scan.wide[0]?.data[684]).toBe(3000);
    if (filter === 1) expect(scan.wide[1]?.data[684]).toBe(0);
  });
});

describe('a reader that is slow', () => {
  test('is closed after EtherSessionTimeout; one that is idle, and one that reads, never are', async () => {
    const scanner = await inFormat3();
    await scanner.write('EtherSessionTimeout', 3000);
    expectDone(await scanner.rest.call('EthernetUpdate'));
    await scanner.write('PerformanceProfileNumber', 6);
    const slow = await session(scanner.ports, 'A');
    const quick = await session(scanner.ports, 'B');
    const idle = await session(scanner.ports, 'A');
    const waiting = await serviceSession(scanner.ports, 'B');
    await waiting.follow('LocationName');
    await slow.follow('LMDscandata');
    await quick.follow('LMDscandata');
    await expectServed(idle);
    slow.stall();
    const limit = performance.now() + 25_000;
    let passed = 0;
    const sessions = async () => {
      const { text } = await scanner.rest.send({ method: 'GET', path: '/metrics' });
      return Number(/^azimuth_legacy_sessions(?:\{[^}]*\})? (\d+)$/m.exec(text)?.[1]);
    };
    const before = await sessions();
    while (performance.now() < limit && passed < 120_000) {
      await scanner.pass(1000, 100 / 3);
      passed += 1000;
      quick.forget();
      if (Number.isNaN(before) ? passed >= 60_000 : (await sessions()) < before) break;
    }
    slow.readOn();
    await slow.demandClosed();
    expect(passed).toBeGreaterThan(3000);
    await scanner.pass(10_000, 100 / 3);
    expect([quick.ending, idle.ending, waiting.ending]).toEqual([undefined, undefined, undefined]);
    await expectServed(idle);
    await expectServed(waiting);
    quick.forget();
    await scansOf(scanner, quick, 3);
    expect(scanner.bench.log.errors).toEqual([]);
  });
});

test('scans are thinned out for a reader that stops for a moment: none is cut, none comes twice', async () => {
  const scanner = await inFormat3();
  await scanner.write('PerformanceProfileNumber', 6);
  await scanner.write('EtherSessionTimeout', 0);
  expectDone(await scanner.rest.call('EthernetUpdate'));
  const client = await session(scanner.ports, 'A');
  await client.follow('LMDscandata');
  await settled(scanner, client);
  client.stall();
  await scanner.pass(20_000, 100 / 3);
  client.readOn();
  await scanner.pass(1000, 100 / 3);
  await expectServed(client);
  let last = -1;
  let seen = 0;
  while (client.untaken > 0) {
    const { scan } = await client.scan();
    if (last >= 0) expect(scan).toBeGreaterThan(last);
    last = scan;
    seen += 1;
  }
  expect(seen).toBeGreaterThan(20);
  // There were six hundred turns while it stood still, more than the buffers between the two hold.
  expect(seen).toBeLessThan(600);
});

test('what a struct type of a test says of ScanDataConfig is what is described', async () => {
  const scanner = await inFormat3();
  const type = struct({
    reserved: 'uint16',
    RemDataConfig: struct({ bEnable: 'boolean', reserved1: 'uint8', reserved2: 'uint8' }),
    EnableEncoderBlock: 'boolean',
    reserved1: 'boolean',
    bEnableDeviceName: 'boolean',
    reserved2: 'boolean',
    bEnableTimeBlock: 'boolean',
    reserved3: 'uint16',
  });
  const client = await serviceSession(scanner.ports, 'B');
  const own = object(await client.read('ScanDataConfig', type));
  await client.write('ScanDataConfig', type, { ...own, bEnableTimeBlock: true });
  await client.follow('LMDscandata');
  await settled(scanner, client);
  const [scan] = await scansOf(scanner, client, 1);
  expect(array(scan?.time).map(number).length).toBe(7);
});
