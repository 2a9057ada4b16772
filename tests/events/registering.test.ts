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

  it('accepts several client ids for one event on one connection, and pushes to each', async () => {
    const { scanner, subscriber } = await started();
    const clientIds = [1, 2, 0, 4_294_967_295];
    for (const clientId of clientIds) await subscriber.follow('CurrentTempDev', clientId);
    await scanner.control('/temperature', { celsius: 40 });
    for (const clientId of clientIds) {
      expect(await subscriber.push('CurrentTempDev', clientId)).toEqual(await scanner.data('CurrentTempDev'));
    }
    expect(await subscriber.rest()).toEqual([]);
  });

  it('accepts one client id for several events', async () => {
    const { scanner, subscriber } = await started();
    for (const event of ['CurrentTempDev', 'temperatureAlarmStatus']) await subscriber.follow(event, 5);
    await scanner.control('/temperature', { celsius: 60 });
    expect(await subscriber.push('CurrentTempDev', 5)).toEqual({ CurrentTempDev: 60 });
    expect(await subscriber.push('temperatureAlarmStatus', 5)).toEqual({ temperatureAlarmStatus: true });
  });

  it.each([
    ['that there is not', 'X'],
    ['with a small letter', 'deviceStatus'],
    ['in capitals', 'LSPDATETIME'],
    ['that is a variable and no event', 'LocationName'],
    ['that is a method', 'FindMe'],
    ['that every object has', 'constructor'],
    ['that every object has', '__proto__'],
    ['with a blank', 'DeviceStatus '],
    ['without a name', ''],
    ['with a path', '/api/DeviceStatus'],
  ])('for an event %s (%s) fails and keeps the other registrations', async (_, event) => {
    const { scanner, subscriber } = await started();
    await subscriber.follow('CurrentTempDev', 1);
    expect(await subscriber.refused(event, 2)).toMatch(/^Failed to register event .*Does the event exist\?/);
    await scanner.control('/temperature', { celsius: 40 });
    expect(await subscriber.push('CurrentTempDev')).toEqual({ CurrentTempDev: 40 });
    expect(await subscriber.rest()).toEqual([]);
  });
});

describe('deregister', () => {
  it('without a registration does nothing', async () => {
    const { scanner, subscriber } = await started();
    await subscriber.follow('CurrentTempDev', 1);
    subscriber.deregister('CurrentTempDev', 2);
    subscriber.deregister('DeviceStatus', 1);
    subscriber.deregister('X', 1);
    expect(await subscriber.rest()).toEqual([]);
    await scanner.control('/temperature', { celsius: 40 });
    expect(await subscriber.pushes('CurrentTempDev')).toHaveLength(1);
  });

  it('can be followed by a new registration', async () => {
    const { scanner, subscriber } = await started();
    await subscriber.follow('CurrentTempDev');
    subscriber.deregister('CurrentTempDev');
    await subscriber.follow('CurrentTempDev');
    await scanner.control('/temperature', { celsius: 40 });
    expect(await subscriber.pushes('CurrentTempDev')).toHaveLength(1);
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
