import { Health } from '@azimuth/test-support/health';
import { textFrame } from '@azimuth/test-support/legacy/frames';
import { expectServed, portsOf, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

/** MB that a process may take more after equal load, time and again. */
const mostGrowth = 48;
/** Of one address. */
const mostSessions = 32;

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

test('thirty-two logged-in sessions of one address are served; one more only after one of them ends', async () => {
  const ports = portsOf(await new ScannerFolder().start());
  const sessions: LegacyClient[] = [];
  for (let index = 0; index < mostSessions; index += 1) {
    sessions.push(await serviceSession(ports, index % 2 ? 'A' : 'B'));
  }
  const more = await session(ports, 'A');
  more.raw(textFrame('sRN SCdevicestate'));
  await more.demandClosed();
  await Promise.all(sessions.map(expectServed));
  sessions[20]?.close();
  await until(async () => {
    const next = await LegacyClient.open(ports.A, 'A');
    try {
      await expectServed(next);
      return true;
    } catch {
      return false;
    } finally {
      next.close();
    }
  });
});

test('a new session replaces the session at level Run without subscriptions that has been silent for longest', async () => {
  const ports = portsOf(await new ScannerFolder().start());
  const follower = await session(ports, 'A');
  await follower.follow('DeviceStatus');
  const silent = await session(ports, 'B');
  await expectServed(silent);
  const second = await session(ports, 'A');
  await expectServed(second);
  const others: LegacyClient[] = [];
  for (let index = 3; index < mostSessions; index += 1) others.push(await serviceSession(ports, 'A'));
  await expectServed(await session(ports, 'A'));
  await silent.demandClosed();
  await expectServed(second);
  await expectServed(follower);
  await Promise.all(others.map(expectServed));
});

test('a client that sends requests and does not read takes bounded memory, and gets every answer when it reads', async () => {
  const scanner = await new ScannerFolder().start([], { env: { NODE_OPTIONS: '--max-old-space-size=160' } });
  const ports = portsOf(scanner);
  const health = new Health(scanner);
  const greedy = await session(ports, 'A');
  greedy.stall();
  health.check();
  const count = 30_000;
  const wave = Buffer.concat(Array.from({ length: 1000 }, () => textFrame('sRN PortConfiguration')));
  for (let sent = 0; sent < count; sent += 1000) greedy.raw(wave);
  const witness = await session(ports, 'B');
  for (let time = 0; time < 300; time += 1) {
    await expectServed(witness);
    if (time % 10 === 0) health.check();
  }
  const [least = 0] = health.memory;
  expect(Math.max(...health.memory) - least, health.memory.map(Math.round).join(' ')).toBeLessThan(80);
  greedy.readOn();
  for (let answers = 0; answers < count; answers += 1) {
    const { command, name } = await greedy.answer(10_000);
    if (name !== 'PortConfiguration') throw new Error(`answer ${answers}: ${command} ${name}`);
  }
  await expectServed(greedy);
});
