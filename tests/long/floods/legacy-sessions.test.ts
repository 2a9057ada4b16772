import { Health } from '@azimuth/test-support/health';
import { expectServed, portsOf, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

/** MB that a process may take more after equal load, time and again. */
const mostGrowth = 48;

test('a thousand sessions that end in different ways leave nothing behind', async () => {
  const scanner = await new ScannerFolder().start();
  const ports = portsOf(scanner);
  const health = new Health(scanner);
  await expectServed(await session(ports, 'A'));
  const filesBefore = health.openFiles;
  for (let wave = 0; wave < 35; wave += 1) {
    const sessions = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        LegacyClient.open(index % 2 ? ports.A : ports.B, index % 3 ? 'A' : 'B'),
      ),
    );
    await Promise.all(
      sessions.map(async (client, index) => {
        if (index % 5 === 0) return client.reset();
        await expectServed(client);
        if (index % 5 === 1) await client.follow('LSPdatetime');
        if (index % 5 === 2) client.raw('\x02\x02\x02\x02\x00\x00\xff');
        if (index % 5 === 3) await client.follow('LMDscandata');
        if (index % 2) client.reset();
        else client.close();
      }),
    );
    await Promise.all(sessions.map(({ closed }) => closed));
    // Until the scanner has noticed, they count as sessions, of which it bears 32 of one address.
    await until(() => health.openFiles <= filesBefore + 3);
    health.check();
  }
  expect(health.growth, health.memory.map(Math.round).join(' ')).toBeLessThan(mostGrowth);
  await expectServed(await serviceSession(ports, 'B'));
});
