import { array, number, object } from '@azimuth/test-support/json';
import { dialects } from '@azimuth/test-support/legacy/scanner';
import { list, struct } from '@azimuth/test-support/legacy/types';
import { LegacyClient, type Telegram, valueIn } from '@azimuth/test-support/legacy-client';
import { rectangle, revolution, SceneScanner } from '@azimuth/test-support/scene-scanner';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

/** An entry as recordings of the TiM7xx and the LMS5xx have it. */
const fieldResult = struct({
  version: 'uint16',
  index: 'uint8',
  counter: 'uint32',
  distanceScale: 'float',
  distanceOffset: 'float',
  angleScale: 'uint32',
  angleOffset: 'int32',
  result: 'uint8',
  reserved: list('uint8', 6),
  hasTime: 'uint16',
});

const results = { unknown: 0, free: 1, infringed: 2 } as const;

function entriesOf(telegram: Telegram, command: 'sRA' | 'sSN' = 'sRA') {
  return array(valueIn(telegram, command, 'LFErec', list(fieldResult, 0, 48))).map(object);
}

function inBrief(telegram: Telegram, command: 'sRA' | 'sSN' = 'sRA') {
  return entriesOf(telegram, command).map(({ index, result }) => [index, result]);
}

const away = [-5, 0] as const;
const inside = [2, 0] as const;
const scene = {
  actors: [
    {
      name: 'guest',
      boxes: [{ center: [0, 0], size: [0.5, 0.5] }],
      path: { waypoints: [{ t: 0, x: inside[0], y: inside[1] }] },
    },
  ],
};
const field = (Id: number) => ({ Id, Points: rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 }) });

describe('LFErec', () => {
  test.each(dialects)('lists three evaluations where none is configured, over %s', async (dialect) => {
    for (const variant of ['full', 'basic'] as const) {
      const scanner = await LegacyTestScanner.start({ variant });
      const client = await LegacyClient.forTest(scanner.ports.A, dialect);
      expect(inBrief(await client.request('sRN LFErec'))).toEqual([
        [1, results.unknown],
        [2, results.unknown],
        [3, results.unknown],
      ]);
    }
  });

  test('counts evaluations from 1, as drivers do that take 1 off the index', async () => {
    const scanner = await SceneScanner.start({ scene });
    await scanner.define([field(2), field(7)], [{ Id: 1, Evaluations: [2, 7] }]);
    scanner.pass(500);
    const client = await LegacyClient.forTest(scanner.testScanner.portB, 'B');
    expect(inBrief(await client.request('sRN LFErec'))).toEqual([
      [1, results.unknown],
      [2, results.infringed],
      [3, results.unknown],
      [7, results.infringed],
    ]);
  });

  test('has a counter of µs since power-on, 32 bits wide', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await LegacyClient.forTest(scanner.ports.A, 'A');
    const counter = async () => number(entriesOf(await client.request('sRN LFErec'))[0]?.counter);
    const before = await counter();
    scanner.testScanner.clock.advance(39.8);
    expect((await counter()) - before).toBe(39_800);
    scanner.testScanner.clock.advance(2 ** 32 / 1000);
    expect((await counter()) - before, 'wraps').toBe(39_800);
  });

  test('is sent when a result changes, and not with every scan while a field is infringed', async () => {
    const scanner = await SceneScanner.start({ scene });
    await scanner.move('guest', ...away);
    await scanner.define([field(1)], [{ Id: 1, Evaluations: [1] }]);
    scanner.pass(500);
    const client = await LegacyClient.forTest(scanner.testScanner.portB, 'B');
    await client.follow('LFErec');
    const goOn = async (scans: number) => {
      for (let scan = 0; scan < scans; scan++) scanner.pass(revolution);
      await client.request('sRN SCdevicestate');
    };
    await goOn(30);
    expect(client.unread, 'nothing has changed').toBe(0);
    await scanner.move('guest', ...inside);
    await goOn(30);
    expect(inBrief(await client.event(), 'sSN')[0]).toEqual([1, results.infringed]);
    expect(client.unread, 'infringed for 30 scans').toBe(0);
    await scanner.move('guest', ...away);
    await goOn(30);
    expect(inBrief(await client.event(), 'sSN')[0]).toEqual([1, results.free]);
    expect(client.unread).toBe(0);
  });
});
