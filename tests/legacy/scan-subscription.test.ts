import { dialects, expectServed, session } from '@azimuth/test-support/legacy/scanner';
import { errorCodeOf } from '@azimuth/test-support/legacy-client';
import { describe, expect, test } from 'vitest';
import { distanceAt, inFormat3, measured, scansOf, turn } from './scan-data.js';

describe('scans of a session that follows them', () => {
  test('come once a revolution, after the acknowledgement, with increasing counters and times', async () => {
    const scanner = await inFormat3();
    for (const dialect of dialects) {
      const client = await session(scanner.ports, dialect);
      client.send(dialect === 'A' ? 'sEN LMDscandata 1' : 'sEN LMDscandata \x01');
      expect((await client.response()).command).toBe('sEA');
      expect(client.unread).toBe(0);
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
      expect(client.unread).toBe(0);
    }
  });

  test('come to several sessions, each with its form of frames, until each ends its subscription', async () => {
    const scanner = await inFormat3();
    const a = await session(scanner.ports, 'A');
    const b = await session(scanner.ports, 'B');
    const other = await session(scanner.ports, 'B');
    for (const client of [a, b, other]) await client.follow('LMDscandata');
    // A second subscription is acknowledged again, but sends no scan twice.
    await a.follow('LMDscandata');
    const inText = await scansOf(scanner, a, 5);
    const inBinary = await scansOf(scanner, b, 5);
    const numbers = inText.map(({ scan }) => scan);
    const same = inBinary.filter(({ scan }) => numbers.includes(scan));
    expect(same.length).toBeGreaterThan(0);
    expect(same.map(measured)).toEqual(
      same.map((one) => inText.filter(({ scan }) => scan === one.scan).map(measured)[0]),
    );
    expect(new Set(inText.map(({ scan }) => scan)).size).toBe(5);
    other.reset();
    await a.follow('LMDscandata', false);
    await a.request('sRN SCdevicestate');
    a.forget();
    await scansOf(scanner, b, 5);
    await expectServed(a);
    expect(a.unread).toBe(0);
  });

  test('need no login, and go on during Run, a login and other requests', async () => {
    const scanner = await inFormat3();
    const client = await session(scanner.ports, 'A');
    await client.follow('LMDscandata');
    await client.login(4);
    await client.call('Run');
    await scansOf(scanner, client, 3);
    expect((await client.request('sRN LMDscandata')).command).toBe('sRA');
    await scansOf(scanner, client, 3);
  });

  test.each(['sEN LMDscandata 2', 'sEN LMDscandata', 'sEN LMDscandata x'])(
    'are refused for "%s"',
    async (words) => {
      const scanner = await inFormat3();
      const client = await session(scanner.ports, 'A');
      expect([4, 5, 8, 0x11]).toContain(errorCodeOf(await client.request(words)));
      await scanner.pass(300);
      await expectServed(client);
      expect(client.unread).toBe(0);
    },
  );
});
