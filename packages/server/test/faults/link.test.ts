import type { FaultPlan } from '@azimuth/simulation/faults';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { Client, statusOf } from '@azimuth/test-support/client';
import { freePort } from '@azimuth/test-support/free-port';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EventClient } from '../events/client.js';
import { LegacyWire, textFrame } from '../legacy/legacy-wire.js';
import { Asker, searchFor } from '../search/searcher.js';
import { TcpReceiver, UdpReceiver } from '../streams/receivers.js';
import { StreamingScanner, settled, tcp } from '../streams/scanner.js';

const leaf = issue();

const cable = (how: 'silent' | 'reset'): FaultPlan => ({
  faults: [{ kind: 'link-down', at: 1000, for: 5000, connections: how }],
});

describe('while the cable is out', () => {
  test('connections are silent; afterwards everything that was sent is answered', async () => {
    const scanner = await TestScanner.start({ faults: cable('silent') });
    const legacy = await LegacyWire.open(scanner.portA);
    const events = await EventClient.open(scanner.httpPort, '/x/events?names=LocationName');
    const kept = scanner.client();
    expect(await kept.get('LocationName')).toMatchObject({ httpStatus: 200 });
    scanner.clock.advance(1000);
    let answered = 0;
    const replies = [kept.get('SerialNumber'), new Client(scanner.httpPort).get('LocationName')].map(
      (reply) =>
        reply.then(({ httpStatus }) => {
          answered += 1;
          return httpStatus;
        }),
    );
    legacy.write(textFrame('sRN LocationName'));
    events.say({ nothing: true });
    await settled(50);
    scanner.clock.advance(4999);
    await settled(50);
    expect(answered).toBe(0);
    expect(legacy.received).toHaveLength(0);
    scanner.clock.advance(1);
    expect(await Promise.all(replies)).toEqual([200, 200]);
    expect(await legacy.text()).toMatch(/^sRA LocationName /);
    expect(await new Client(scanner.httpPort).write('LocationName', 'Gate 3')).toMatchObject({
      httpStatus: 200,
    });
    expect(await events.next()).toEqual({ changed: { LocationName: 'Gate 3' } });
  });

  test('an answer that is under way when the cable is pulled out waits, too', async () => {
    const slow: FaultPlan['faults'][number] = {
      kind: 'http-latency',
      latency: 2000,
      endpoint: 'SerialNumber',
    };
    const scanner = await TestScanner.start({ faults: { faults: [slow, ...cable('silent').faults] } });
    let isAnswered = false;
    const reply = scanner
      .client()
      .get('SerialNumber')
      .finally(() => {
        isAnswered = true;
      });
    await until(() => scanner.faults.list[0]?.times === 1);
    scanner.clock.advance(1000);
    scanner.clock.advance(4999);
    await settled(50);
    expect(isAnswered).toBe(false);
    scanner.clock.advance(1);
    expect(await reply).toMatchObject({ httpStatus: 200 });
  });

  test('connections of HTTPS are silent, too; new ones are reset in their handshake', async () => {
    const scanner = await TestScanner.start({ faults: cable('silent') });
    const stored = await new Client(scanner.httpPort).call('setCertificateBundle', bundleOf([leaf]));
    expect(statusOf(stored)).toBe(0);
    const tls = { ca: leaf.certificate, servername: 'localhost' };
    const kept = new Client(scanner.httpsPort, { tls, keepAlive: true });
    onTestFinished(() => kept.close());
    expect(await kept.get('LocationName')).toMatchObject({ httpStatus: 200 });
    scanner.clock.advance(1000);
    let isAnswered = false;
    const late = kept.get('SerialNumber').finally(() => {
      isAnswered = true;
    });
    await expect(new Client(scanner.httpsPort, { tls }).get('LocationName')).rejects.toThrow();
    await settled(50);
    expect(isAnswered).toBe(false);
    scanner.clock.advance(5000);
    expect(await late).toMatchObject({ httpStatus: 200 });
  });

  test('connections are reset, new ones too, and afterwards clients can come again', async () => {
    const scanner = await TestScanner.start({ faults: cable('reset') });
    const legacy = await LegacyWire.open(scanner.portA);
    const events = await EventClient.open(scanner.httpPort, '/x/events');
    scanner.clock.advance(1000);
    expect(await events.ending).toBe(1006);
    await until(() => legacy.isClosed);
    await expect(new Client(scanner.httpPort).get('LocationName')).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    scanner.clock.advance(5000);
    expect(await new Client(scanner.httpPort).get('LocationName')).toMatchObject({ httpStatus: 200 });
  });

  test('no datagram comes, and the gap in the numbers shows it', async () => {
    const scanner = await StreamingScanner.start({ faults: cable('silent') });
    const receiver = await UdpReceiver.open();
    scanner.sendScans(receiver.port);
    await scanner.run(1100);
    const before = receiver.telegrams.length;
    expect(before).toBeGreaterThan(100);
    await scanner.run(4800);
    expect(receiver.telegrams).toHaveLength(before);
    await scanner.run(500);
    const numbers = receiver.telegrams.map((telegram) => Number(telegram.readBigUInt64LE(8)));
    expect(numbers.length).toBeGreaterThan(before);
    expect((numbers[before] ?? 0) - (numbers[before - 1] ?? 0)).toBeGreaterThan(400);
  });

  test('a client of telegrams over TCP gets nothing, and later what was kept for it', async () => {
    const scanner = await StreamingScanner.start({ faults: cable('silent') });
    const port = await freePort();
    scanner.sendScans(port, tcp);
    await settled(100);
    const receiver = await TcpReceiver.open(port);
    await scanner.run(1100);
    await settled();
    const before = receiver.bytes.length;
    expect(before).toBeGreaterThan(1000);
    await scanner.run(1000);
    expect(receiver.bytes).toHaveLength(before);
    await scanner.run(5000);
    await scanner.runUntil(() => receiver.bytes.length > before + 1000);
    expect(receiver.isClosed).toBe(false);
  });

  test('searches get no answer', async () => {
    const scanner = await TestScanner.start({ searchPort: 0, faults: cable('silent') });
    const asker = await Asker.open();
    const search = (id: string) => asker.send(searchFor(id), scanner.service.ports.search ?? 0);
    await search('00000001');
    await until(() => asker.heard.length > 0);
    scanner.clock.advance(1000);
    await search('00000002');
    await settled(100);
    scanner.clock.advance(5000);
    await search('00000003');
    await until(() => asker.heard.some(({ id }) => id === '00000003'));
    expect(asker.heard.map(({ id }) => id)).not.toContain('00000002');
  });
});
