import { expectDone } from '@azimuth/test-support/envelope';
import { expectServed, session } from '@azimuth/test-support/legacy/scanner';
import { expect, test } from 'vitest';
import { inFormat3, settled } from '../../legacy/scan-data.js';

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
  while (client.unread > 0) {
    const { scan } = await client.scan();
    if (last >= 0) expect(scan).toBeGreaterThan(last);
    last = scan;
    seen += 1;
  }
  expect(seen).toBeGreaterThan(20);
  // 600 revolutions passed meanwhile: more than the buffers of the connection hold.
  expect(seen).toBeLessThan(600);
});
