import { array, number, object } from '@azimuth/test-support/json';
import type { Scan } from '@azimuth/test-support/legacy/scan';
import { serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { struct } from '@azimuth/test-support/legacy/types';
import { faultOf } from '@azimuth/test-support/legacy-client';
import { stillRoom } from '@azimuth/test-support/streams/room';
import { describe, expect, test } from 'vitest';
import { contents, inFormat3, scansOf, settled } from './scan-data.js';

describe('the content of a scan', () => {
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
  const nothing = {
    encoders: [],
    measurements: 0,
    layer: 0,
    name: undefined,
    comment: undefined,
    time: undefined,
  };

  test('by default: distances and signal strengths, and nothing after them', async () => {
    const scan = await oneWith({});
    expect(scan).toMatchObject(nothing);
    const [distances, strengths] = [scan.wide[0], scan.narrow.find(({ content }) => content === 'RSSI1')];
    expect(distances?.content).toBe('DIST1');
    expect(strengths?.data.length).toBe(distances?.data.length);
    expect([strengths?.start, strengths?.step]).toEqual([distances?.start, distances?.step]);
    expect(
      strengths?.data.every((strength, index) => strength > 0 === (distances?.data[index] ?? 0) > 0),
    ).toBe(true);
  });

  test('without RemDataConfig: no signal strengths', async () => {
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

  test('neither position nor comment with reserved members', async () => {
    expect(await oneWith({ reserved1: true, reserved2: true })).toMatchObject({
      comment: undefined,
      position: false,
    });
  });

  test('the same with both names: LMDscandatacfg and ScanDataConfig are one setting', async () => {
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
    // Encoder on; name and time off; what is reserved is as it left the factory, whatever was written.
    expect(words.slice(2)).toEqual('0 0 1 0 0 1 0 0 0 0 0 1'.split(' '));
    const denied = await session(scanner.ports, 'A');
    expect(faultOf(await denied.request('sWN LMDscandatacfg 01 00 1 1 0 00 00 0 1 0 1 +1'))).toBe(0x0a);
  });

  test('every scan, whatever is written where other families have an output rate', async () => {
    const scanner = await inFormat3();
    const client = await serviceSession(scanner.ports, 'A');
    expect((await client.request('sWN LMDscandatacfg 1 0 1 1 0 0 0 0 0 0 0 +4')).command).toBe('sWA');
    expect((await client.request('sRN LMDscandatacfg')).payload.toString()).toBe(
      'sRA LMDscandatacfg 0 0 1 0 0 0 0 0 0 0 0 1',
    );
    await client.follow('LMDscandata');
    await settled(scanner, client);
    const numbers = (await scansOf(scanner, client, 3)).map(({ scan }) => scan);
    const [first = 0] = numbers;
    expect(numbers).toEqual([first, first + 1, first + 2]);
  });

  // Glass 1 m ahead, and behind it the wall 5 m ahead.
  const glazed = {
    ...stillRoom,
    circles: [],
    walls: [{ from: [1, -0.5], to: [1, 0.5], material: 'glass' }],
  };

  test.each([
    [0, ['DIST1'], [1000]],
    [2, ['DIST1'], [5000]],
    [1, ['DIST1', 'DIST2'], [1000, 5000]],
  ])('the echoes that FREchoFilter %i passes', async (filter, distances, ahead) => {
    const scanner = await inFormat3(glazed);
    await scanner.write('FREchoFilter', filter);
    const client = await session(scanner.ports, 'B');
    await client.follow('LMDscandata');
    await settled(scanner, client);
    const [scan] = await scansOf(scanner, client, 1);
    if (scan === undefined) throw new Error('no scan');
    const names = contents(scan);
    const dist = scan.wide.map(({ content }) => content);
    const rssi = scan.narrow.map(({ content }) => content);
    expect(dist.slice(0, distances.length)).toEqual(distances);
    expect(rssi).toEqual(dist.map((name) => name.replace('DIST', 'RSSI')));
    expect(names).toEqual([...dist, ...rssi]);
    expect(dist.length).toBeLessThanOrEqual(filter === 1 ? 3 : 1);
    const middle = Math.round((900_000 + 480_000) / 3333);
    expect(scan.wide.slice(0, ahead.length).map(({ data }) => data[middle])).toEqual(ahead);
    expect(new Set([...scan.wide, ...scan.narrow].map(({ data }) => data.length)).size).toBe(1);
    // To the left there is one echo only.
    expect(scan.wide[0]?.data[684]).toBe(3000);
    if (filter === 1) expect(scan.wide[1]?.data[684]).toBe(0);
  });
});

test('the struct type of ScanDataConfig has the described members', async () => {
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
