import { expect, test } from 'vitest';
import {
  DatabaseRefused,
  DatabaseUnavailable,
  isWorthRepeating,
  OutageLog,
  pauseBeforeAttempt,
} from '../../src/database/database-errors.js';
import { shardOf } from '../../src/database/desired/replace-scanners.js';
import { checkKeys, checkKeysAtStart, KeyMismatch } from '../../src/database/documents/key-check.js';
import { limitsOfLeases, limitsOfSaves } from '../../src/database/leases/leases.js';
import { respondingWith } from './responding-database.js';

test('pauses between tries grow up to a limit', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(pauseBeforeAttempt)).toEqual([25, 50, 100, 200, 400, 400, 400]);
});

test('a scanner is in the same shard in all processes, releases and machines', () => {
  expect(['1', '2', '230001', '12345678'].map((serial) => shardOf(serial, 128))).toEqual([115, 58, 24, 1]);
  const shards = new Set(Array.from({ length: 2000 }, (_, serial) => shardOf(String(serial), 128)));
  expect([shards.size, Math.max(...shards), Math.min(...shards)]).toEqual([128, 127, 0]);
});

test('two renewals without an answer leave time for a third one, and saves wait for locks a tenth of a lease', () => {
  expect(limitsOfLeases(10_000)).toEqual({
    ...{ connections: 2, connectMilliseconds: 2000, statementMilliseconds: 2000, graceMilliseconds: 250 },
  });
  expect(limitsOfLeases(2000).graceMilliseconds).toBe(100);
  expect([limitsOfSaves(2000), limitsOfSaves(60_000)]).toEqual([
    { lockMilliseconds: 200 },
    { lockMilliseconds: 1000 },
  ]);
});

function outages() {
  const said: string[] = [];
  const note = (message: string) => void said.push(message);
  return { said, log: new OutageLog({ info: note, warn: note, error: note }) };
}

const away = (reason: string) => new DatabaseUnavailable('The database', reason);
const refused = (state: string) => new DatabaseRefused('The database', state, 'no');

test('a database that is away is told of once, however its silence differs, and again after it has answered', () => {
  const { log, said } = outages();
  log.succeeded();
  expect([said, log.isUnavailable]).toEqual([[], false]);
  for (const reason of ['no route', 'time-out']) log.failed(away(reason), 'Nothing is saved');
  expect([said, log.isUnavailable]).toEqual([['Nothing is saved'], true]);
  log.succeeded();
  log.succeeded();
  log.failed(away('no route'), 'Nothing is saved');
  expect(said).toEqual(['Nothing is saved', 'The database answers again', 'Nothing is saved']);
});

test('each reason of a refusal is told of once', () => {
  const { log, said } = outages();
  for (const state of ['42501', '42501', '42P01', '42P01']) log.failed(refused(state), state);
  expect([said, log.isUnavailable]).toEqual([['42501', '42P01'], true]);
  log.failed(new Error('ours'), 'ours');
  expect(said).toEqual(['42501', '42P01', 'ours']);
});

test('what may be run once more is what had no answer, or was in the way of another statement', () => {
  const errors = [away(''), refused('40001'), refused('40P01'), refused('42501'), new Error('ours')];
  expect(errors.map(isWorthRepeating)).toEqual([true, true, true, false, false]);
});

const [key, next] = ['a key of the deployment', 'the next key of it'] as const;

/** The check that a process with this key leaves in the database. */
async function checkOf(own: string): Promise<unknown> {
  const { database, values } = respondingWith([], []);
  await checkKeys(database, [own]).catch(() => undefined);
  return values()[0]?.[0];
}

test('a process needs the key of the deployment among its keys, and says if it seals with another one', async () => {
  const value = await checkOf(key);
  const check = (...keys: readonly [string, ...string[]]) =>
    checkKeys(respondingWith([], [{ value }]).database, keys);
  expect([await check(key), await check(key, next), await check(next, key)]).toEqual([true, true, false]);
  await expect(check(next)).rejects.toThrow(KeyMismatch);
  await expect(check('short')).rejects.toThrow(RangeError);
  const said: string[] = [];
  const log = { info() {}, warn: (message: string) => void said.push(message), error() {} };
  await checkKeysAtStart(respondingWith([], [{ value }]).database, [key], log);
  expect(said).toEqual([]);
  await checkKeysAtStart(respondingWith([], [{ value }]).database, [next, key], log);
  expect(said).toHaveLength(1);
  await expect(checkKeysAtStart(respondingWith([], [{ value }]).database, [next], log)).rejects.toThrow(
    KeyMismatch,
  );
});
