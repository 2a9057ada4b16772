import { statusOf } from '@azimuth/test-support/client';
import { events, ofFullOnly } from '@azimuth/test-support/event-names';
import { number, object, parse } from '@azimuth/test-support/json';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { describe, expect, it } from 'vitest';

const paths = ['/apievents', '/api/apievents'] as const;

describe.each(['2.3.1', '2.3.3', '2.4.4'] as const)('release %s', (release) => {
  it.each(paths)('has all its events at %s', async (path) => {
    const scanner = await TestScanner.start({ release });
    const subscriber = await Subscriber.connect(scanner.httpPort, { path });
    for (const event of events) await subscriber.follow(event);
  });

  it('in the variant basic lacks only the events of functions that it does not have', async () => {
    const scanner = await TestScanner.start({ release, variant: 'basic' });
    const subscriber = await Subscriber.connect(scanner.httpPort);
    for (const event of events) {
      const exists = !ofFullOnly.includes(event);
      expect(statusOf(await scanner.client().get(event)), event).toBe(exists ? 0 : 5);
      if (exists) await subscriber.follow(event);
      else expect(await subscriber.refused(event)).toContain(event);
    }
  });
});

describe.each(['1.4.0', '1.5.0', '2.1.0', '2.2.0'] as const)('release %s', (release) => {
  it.each(paths)('has no %s, refuses the handshake in HTTP, and continues', async (path) => {
    const scanner = await TestScanner.start({ release });
    const { httpStatus, headers, body } = await WebSocketClient.refused(scanner.httpPort, { path });
    expect('sec-websocket-accept' in headers).toBe(false);
    if (path.startsWith('/api/')) {
      expect(httpStatus).toBe(200);
      expect(object(object(parse(body)).header).status).toBe(5);
    } else {
      expect(httpStatus).toBe(404);
      expect(body).toMatch(/\w/);
    }
    expect(number(await scanner.client().value('DeviceStatus'))).toBe(3);
  });
});

describe.each(['1.4.0', '1.5.0', '2.1.0', '2.2.0', '2.3.1', '2.3.3', '2.4.4'] as const)(
  'release %s',
  (release) => {
    it.each([
      ['/x/events', 'full'],
      ['/x/events', 'basic'],
      ['/x/scan', 'full'],
      ['/x/scan', 'basic'],
    ] as const)('has %s in the variant %s', async (path, variant) => {
      const scanner = await TestScanner.start({ release, variant });
      const socket = await WebSocketClient.open(scanner.httpPort, { path });
      if (path === '/x/scan') {
        await scanner.pass(500);
        expect((await socket.next()).kind).toBe('binary');
      }
      await socket.pingPong();
      expect((await socket.close()).code).toBe(1000);
    });
  },
);
