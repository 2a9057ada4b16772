import { expectDone } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { dialects, expectServed, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { list, struct, text } from '@azimuth/test-support/legacy/types';
import { decode } from '@azimuth/test-support/legacy/values';
import { LegacyClient, valueIn } from '@azimuth/test-support/legacy-client';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

const location = text(0, 32);

describe('events', () => {
  test('come in the frame of the telegram that asked for them, the acknowledge first', async () => {
    const scanner = await LegacyTestScanner.start();
    // One connection that speaks both; the last subscription decides.
    const client = await LegacyClient.forTest(scanner.ports.A, 'A');
    await client.follow('LocationName');
    await scanner.write('LocationName', 'one');
    const first = await client.event();
    expect([first.dialect, valueIn(first, 'sSN', 'LocationName', location)]).toEqual(['A', 'one']);
    expect(first.payload.toString()).toBe('sSN LocationName 3 one');
    const binary = await LegacyClient.forTest(scanner.ports.A, 'B');
    await binary.follow('LocationName');
    await scanner.write('LocationName', 'two');
    const second = await binary.event();
    expect(second.dialect).toBe('B');
    expect(second.payload.toString('latin1')).toBe('sSN LocationName \0\x03two');
  });

  test('come for a change, not for a write that changes nothing, nor for what is refused', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await serviceSession(scanner.ports, 'A');
    await client.follow('FREchoFilter');
    await client.attempt('FREchoFilter', 'uint8', 3);
    await client.write('FREchoFilter', 'uint8', 0);
    expect(valueIn(await client.event(), 'sSN', 'FREchoFilter', 'uint8')).toBe(0);
    await expectServed(client);
    expect(client.unread).toBe(0);
  });

  test('come for what the scanner does by itself: its state, its inputs, its clock', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'B');
    await client.follow('DeviceStatus');
    await scanner.rest.call('mStopMeasure');
    expect(valueIn(await client.event(), 'sSN', 'DeviceStatus', 'uint8')).toBe(4);
    await client.follow('DeviceStatus', false);
    client.forget();
    await client.follow('LSPdatetime');
    await until(async () => {
      await scanner.pass(1000);
      return client.forget() > 0;
    });
    for (let second = 0; second < 3; second += 1) {
      await scanner.pass(1000);
      expect((await client.event()).name).toBe('LSPdatetime');
    }
    await expectServed(client);
    expect(client.unread).toBe(0);
  });

  test('can be subscribed to under a legacy name, too', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    for (const name of ['LFErec', 'LIDinputstate', 'LIDoutputstate', 'SCdevicestate', 'LMDscandata']) {
      expect((await client.request(`sEN ${name} 1`)).payload.toString()).toBe(`sEA ${name} 1`);
      expect((await client.request(`sEN ${name} 0`)).payload.toString()).toBe(`sEA ${name} 0`);
    }
    expect((await client.request('sEN LocationName 0')).payload.toString()).toBe('sEA LocationName 0');
  });

  test('of a session are its own: another one gets none, and none follow it into the next', async () => {
    const scanner = await LegacyTestScanner.start();
    const follower = await session(scanner.ports, 'A');
    const other = await session(scanner.ports, 'A');
    await follower.follow('LocationName');
    follower.close();
    await follower.closed;
    const next = await session(scanner.ports, 'A');
    await scanner.write('LocationName', 'x');
    for (const client of [other, next]) {
      await expectServed(client);
      expect(client.unread).toBe(0);
    }
  });

  test.each(dialects)(
    'that nobody reads over %s are kept as the newest of each, no more',
    async (dialect) => {
      const scanner = await LegacyTestScanner.start();
      const writer = await serviceSession(scanner.ports, 'B');
      const slow = await session(scanner.ports, dialect);
      const type = list('boolean', 48);
      const names = ['LocationName', 'PortConfiguration', 'EvaluationsToLog'];
      for (const name of names) await slow.follow(name);
      slow.stall();
      const ports = await scanner.rest.value('PortConfiguration');
      const count = 12_000;
      const wave = 400;
      for (let sent = 0; sent < count; sent += wave) {
        for (let one = sent; one < sent + wave; one += 1) {
          writer.send(
            Buffer.concat([
              Buffer.from('sWN LocationName '),
              Buffer.from([0, 5]),
              Buffer.from(String(10_000 + one)),
            ]),
          );
        }
        for (let one = 0; one < wave; one += 1) await writer.response();
        const [first, ...rest] = Array.isArray(ports) ? ports : [];
        for (let time = 0; time < 4; time += 1) {
          const port = { ...object(first), Name: `${sent}.${time}` };
          expectDone(await scanner.rest.write('PortConfiguration', [port, ...rest]));
        }
      }
      await writer.write(
        'EvaluationsToLog',
        type,
        Array.from({ length: 48 }, (_, index) => index === 5),
      );
      slow.readOn();
      await expectServed(slow);
      // What had gone out before is in its order; the last one of each is the value that there is.
      const last = new Map<string, Buffer>();
      let number = 0;
      while (slow.unread > 0) {
        const event = await slow.event();
        last.set(event.name, event.values);
        if (event.name !== 'LocationName') continue;
        const value = Number(decode(dialect, location, event.values));
        expect(value).toBeGreaterThan(number);
        number = value;
      }
      expect([...last.keys()].sort()).toEqual(names.toSorted());
      expect(number).toBe(10_000 + count - 1);
      expect(decode(dialect, type, last.get('EvaluationsToLog') ?? Buffer.alloc(0))).toEqual(
        await scanner.rest.value('EvaluationsToLog'),
      );
    },
  );

  test('of many sessions for one change come to each of them', async () => {
    const scanner = await LegacyTestScanner.start();
    const sessions = await Promise.all(
      Array.from({ length: 30 }, (_, index) => session(scanner.ports, index % 2 ? 'A' : 'B')),
    );
    for (const client of sessions) await client.follow('temperatureAlarmConfiguration');
    await scanner.write('temperatureAlarmConfiguration', { upperThreshold: 70, lowerThreshold: -5 });
    const type = struct({ upperThreshold: 'int8', lowerThreshold: 'int8' });
    for (const client of sessions) {
      const value = valueIn(await client.event(), 'sSN', 'temperatureAlarmConfiguration', type);
      expect(value).toEqual({ upperThreshold: 70, lowerThreshold: -5 });
    }
  });
});

describe('a connection', () => {
  test('that is half-closed after its last request gets the replies to all of them', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    client.send('sRN SCdevicestate');
    client.send('sRN LocationName');
    client.socket.end();
    expect((await client.response()).name).toBe('SCdevicestate');
    expect((await client.response()).name).toBe('LocationName');
    expect(await client.untilClosed()).toBe('end');
  });

  test('that is only opened is left alone', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    await scanner.pass(24 * 3_600_000, 600_000);
    await expectServed(client);
    expect(client.received).toBeGreaterThan(0);
    expect(client.ending).toBeUndefined();
  });
});
