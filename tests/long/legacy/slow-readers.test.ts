import { expectDone } from '@azimuth/test-support/envelope';
import { expectServed, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { describe, expect, test } from 'vitest';
import { inFormat3, scansOf, settled } from '../../legacy/scan-data.js';

describe('a reader that is slow', () => {
  test('is closed after EtherSessionTimeout; idle readers and quick ones are not closed', async () => {
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
    const sessions = async () => {
      const { text } = await scanner.rest.send({ method: 'GET', path: '/metrics' });
      return Number(/^azimuth_legacy_sessions (\d+)$/m.exec(text)?.[1]);
    };
    expect(await sessions()).toBe(4);
    let passed = 0;
    while ((await sessions()) === 4 && passed < 120_000) {
      await scanner.pass(1000, 100 / 3);
      passed += 1000;
      quick.forget();
    }
    expect(await sessions()).toBe(3);
    slow.readOn();
    await slow.demandClosed();
    expect(passed).toBeGreaterThan(3000);
    await scanner.pass(10_000, 100 / 3);
    expect([quick.ending, idle.ending, waiting.ending]).toEqual([undefined, undefined, undefined]);
    await expectServed(idle);
    await expectServed(waiting);
    quick.forget();
    await scansOf(scanner, quick, 3);
    expect(scanner.testScanner.log.errors).toEqual([]);
  });
});

test('a reader that stops for a while misses scans, but gets no scan in part and none twice', async () => {
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
  // 600 revolutions passed meanwhile: more than the buffers of the connection hold.
  expect(seen).toBeLessThan(600);
});
