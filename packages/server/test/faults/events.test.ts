import type { FaultPlan } from '@azimuth/simulation/faults';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { EventClient } from '../events/client.js';

/** A client of one type of connection, and the scanner. */
async function watching(path: string, ...faults: FaultPlan['faults']) {
  const scanner = await TestScanner.start({ faults: { faults } });
  const client = await EventClient.open(scanner.httpPort, path);
  const name = async (value: string) => {
    expect(await scanner.client().write('LocationName', value)).toMatchObject({ httpStatus: 200 });
  };
  const times = (count: number) => until(() => scanner.faults.list[0]?.times === count);
  return { scanner, client, name, times };
}

const changed = (value: string) => ({ changed: { LocationName: value } });
const changes = '/x/events?names=LocationName';

describe('a client of events', () => {
  test('gets messages in another order', async () => {
    const { client, name } = await watching(changes, { kind: 'events-reorder', after: 1, first: 1 });
    for (const value of ['one', 'two', 'three', 'four']) await name(value);
    const got = [await client.next(), await client.next(), await client.next(), await client.next()];
    expect(got).toEqual([changed('one'), changed('three'), changed('two'), changed('four')]);
  });

  test('gets a message that no other one overtakes after some time', async () => {
    const { scanner, client, name, times } = await watching(changes, { kind: 'events-reorder', wait: 500 });
    await name('one');
    await times(1);
    scanner.clock.advance(500);
    expect(await client.next()).toEqual(changed('one'));
  });

  test('gets nothing while its connection stands still, then everything in order', async () => {
    const { scanner, client, name, times } = await watching(changes, {
      kind: 'events-stall',
      stall: 2000,
      first: 1,
    });
    await name('one');
    await times(1);
    await name('two');
    await name('three');
    const early = client.next();
    let isEarly = true;
    void early.then((message) => {
      expect(message).toEqual(changed('one'));
      expect(isEarly).toBe(false);
    });
    scanner.clock.advance(1999);
    // Another connection is served meanwhile.
    const other = await EventClient.open(scanner.httpPort, changes);
    await name('four');
    expect(await other.next()).toEqual(changed('four'));
    isEarly = false;
    scanner.clock.advance(1);
    expect(await early).toEqual(changed('one'));
    expect([await client.next(), await client.next(), await client.next()]).toEqual([
      changed('two'),
      changed('three'),
      changed('four'),
    ]);
  });

  test.each(['close', 'reset'] as const)('loses its connection in place of a message: %s', async (how) => {
    const { client, name, scanner } = await watching(changes, { kind: 'events-drop', how, first: 1 });
    await name('one');
    expect(await client.ending).toBe(1006);
    const again = await EventClient.open(scanner.httpPort, changes);
    await name('two');
    expect(await again.next()).toEqual(changed('two'));
  });

  test.each(['close', 'reset'] as const)(
    'gets all earlier messages before it loses its connection: %s',
    async (how) => {
      const { client, scanner } = await watching(changes, { kind: 'events-drop', how, after: 2 });
      const { device } = scanner.service;
      const location = device.served.endpoints.get('LocationName');
      if (location?.kind !== 'variable') throw new Error('expected a variable');
      // The messages are sent in a row, so that they are still compressed when the connection is to be lost.
      for (const value of ['one', 'two', 'three', 'four']) {
        device.write(location, value, { level: 'Service' });
        await device.announcements.pendingEffects;
      }
      expect([await client.next(), await client.next()]).toEqual([changed('one'), changed('two')]);
      expect(await client.ending).toBe(1006);
      await expect(client.next()).rejects.toThrow('closed');
    },
  );

  test('loses only connections of the kind that is meant', async () => {
    const { scanner, client, name } = await watching(changes, { kind: 'events-drop', path: 'events' });
    await name('one');
    expect(await client.next()).toEqual(changed('one'));
    const registered = await EventClient.open(scanner.httpPort);
    registered.say({ type: 'register', event: 'DeviceStatus', clientId: 1 });
    expect(await registered.ending).toBe(1006);
  });
});
