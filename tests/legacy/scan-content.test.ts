import { array, number, object } from '@azimuth/test-support/json';
import type { Scan } from '@azimuth/test-support/legacy/scan';
import { serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { struct } from '@azimuth/test-support/legacy/types';
import { errorCodeOf } from '@azimuth/test-support/legacy-client';
import { describe, expect, test } from 'vitest';
import { inFormat3, scansOf, settled } from './scan-data.js';

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
    expect(errorCodeOf(await denied.request('sWN LMDscandatacfg 01 00 1 1 0 00 00 0 1 0 1 +1'))).toBe(0x0a);
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
