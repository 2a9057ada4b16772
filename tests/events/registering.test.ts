import { type EventName, events } from '@azimuth/test-support/event-names';
import type { JsonObject } from '@azimuth/test-support/json';
import { SceneScanner } from '@azimuth/test-support/scene-scanner';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { describe, expect, it } from 'vitest';

async function started() {
  const scanner = await SceneScanner.start();
  const connect = () => Subscriber.connect(scanner.testScanner.httpPort);
  return { scanner, connect, subscriber: await connect() };
}

describe('register', () => {
  it('accepts registrations for all events directly after each other on one connection', async () => {
    const { scanner, subscriber } = await started();
    for (const [index, event] of events.entries()) {
      subscriber.send({ type: 'register', event, clientId: index });
    }
    const replies: JsonObject[] = [...(await subscriber.rest())];
    const expected = await Promise.all(
      events.map(async (event, clientId) => ({
        type: 'register',
        event,
        clientId,
        status: 0,
        data: await scanner.data(event),
      })),
    );
    expect(replies).toEqual(expected);
  });
});

describe('a connection', () => {
  it('does not get events that another connection has registered', async () => {
    const { scanner, connect, subscriber } = await started();
    const other = await connect();
    await subscriber.follow('CurrentTempDev', 1);
    await other.follow('CurrentTempDev', 1);
    other.deregister('CurrentTempDev', 1);
    expect(await other.rest()).toEqual([]);
    await scanner.control('/temperature', { celsius: 40 });
    expect(await subscriber.pushes('CurrentTempDev')).toHaveLength(1);
    expect(await other.rest()).toEqual([]);
  });

  it('leaves no registrations for the next connection', async () => {
    const { scanner, connect, subscriber } = await started();
    for (const event of events) await subscriber.follow(event);
    expect((await subscriber.socket.close()).code).toBe(1000);
    const next = await connect();
    await scanner.control('/temperature', { celsius: 60 });
    await scanner.drive(1, true);
    scanner.pass(3000);
    expect(await next.rest()).toEqual([]);
  });

  it('stays open for an hour without pings', async () => {
    const { scanner, subscriber } = await started();
    const quiet: EventName = 'temperatureAlarmStatus';
    await subscriber.follow(quiet);
    scanner.pass(3_600_000);
    expect(await subscriber.rest()).toEqual([]);
    await scanner.control('/temperature', { celsius: 60 });
    expect(await subscriber.push(quiet)).toEqual({ temperatureAlarmStatus: true });
  });
});
