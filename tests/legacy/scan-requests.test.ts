import { expectData } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { decodeScan } from '@azimuth/test-support/legacy/scan';
import { session } from '@azimuth/test-support/legacy/scanner';
import { profileOf } from '@azimuth/test-support/streams/profiles';
import { grazesPost, stillRoom, toNearest } from '@azimuth/test-support/streams/room';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';
import { distanceAt, inFormat3, measured, polled } from './scan-data.js';

describe('a scan on request', () => {
  test('is the same in text and in binary', async () => {
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
    expect(inText.measurements).toBe(0);
    expect([inText.version, inText.device, inText.layer]).toEqual([1, 1, 0]);
    expect([...inText.status, ...inText.inputs]).toEqual([0, 0, 0, 0]);
  });

  test('is answered without a login, in every format, and after the measurement has stopped', async () => {
    const scanner = await LegacyTestScanner.start({ scene: stillRoom });
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

  test('has the walls of the room in their directions: straight ahead is 90 degrees, counter-clockwise', async () => {
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
});
