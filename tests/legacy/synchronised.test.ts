import { VirtualClock } from '@azimuth/device';
import { object, parse } from '@azimuth/test-support/json';
import type { Scan } from '@azimuth/test-support/legacy/scan';
import { session } from '@azimuth/test-support/legacy/scanner';
import { stillRoom } from '@azimuth/test-support/streams/room';
import { responseTo, stamp, TimeServer } from '@azimuth/test-support/time-server';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

test('LMDscandata counts µs since power-on while a time server is followed, and its time block shows the time of it', async () => {
  // As the scanner of a test has it.
  const begin = new VirtualClock().utc();
  const later = Date.UTC(2031, 6, 1, 10) - begin;
  const server = await TimeServer.open((request, { port }, socket) => {
    const now = stamp(scanner.testScanner.clock.utc() + later);
    socket.send(responseTo(request, { received: now, sent: now }), port);
  });
  const scanner = await LegacyTestScanner.start({ scene: stillRoom, timeServerPort: server.port });
  await scanner.write('ScanDataFormat', 3);
  const config = object(await scanner.rest.value('ScanDataConfig'));
  await scanner.write('ScanDataConfig', { ...config, bEnableTimeBlock: true });
  const client = await session(scanner.ports, 'B');
  await client.follow('LMDscandata');
  const scans: Scan[] = [];
  const take = async () => {
    await scanner.pass(500);
    await client.request('sRN SCdevicestate');
    while (client.unread > 0) scans.push(await client.scan());
    return scans.length;
  };
  const before = await take();
  await scanner.write('TSCTCSrvAddr', [127, 0, 0, 1]);
  await scanner.write('TSCTCtimezone', 34);
  await scanner.write('TSCRole', 1);
  await until(async () => {
    const { text } = await scanner.rest.send({ method: 'GET', path: '/x/time' });
    return object(object(object(parse(text)).data).time).Synchronised === true;
  });
  const after = await take();
  expect(before).toBeGreaterThan(4);
  expect(after).toBeGreaterThan(before + 4);
  for (const [index, { sinceStart, sent, time }] of scans.entries()) {
    const first = scans[0]?.sinceStart ?? 0;
    expect(Math.abs(sinceStart - first - (index * 1_000_000) / 15)).toBeLessThan(2);
    expect(sent - sinceStart).toBe(51_111);
    const [year = 0, month = 0, ...rest] = time ?? [];
    const [day, hour, minute, second, micro = 0] = rest;
    const shown = Date.UTC(year, month - 1, day, hour, minute, second) + micro / 1000;
    const ahead = index < before ? 0 : later;
    expect(Math.abs(shown - (begin + ahead + sent / 1000))).toBeLessThan(1);
  }
});
