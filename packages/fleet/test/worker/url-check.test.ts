import { expect, test } from 'vitest';
import { warnOfSameUrl } from '../../src/worker/worker-reports.js';
import { respondingWith } from '../database/responding-database.js';
import { fulfils } from '../database/sql-condition.js';

/** Checks once as `worker`. The database says that these others have its URL. */
async function asked(others: readonly string[]) {
  const { database, statements, values } = respondingWith(others.map((owner) => ({ owner })));
  const lines: unknown[] = [];
  const log = {
    info() {},
    error() {},
    warn: (message: string, facts?: object) => lines.push(message, facts),
  };
  await warnOfSameUrl({ database, log }, { url: 'http://w', owner: 'worker' });
  return { lines, statement: statements()[0], values: values()[0] };
}

test('a worker warns of others with its URL, by their names, and of none if there are none', async () => {
  expect((await asked([])).lines).toEqual([]);
  expect((await asked(['one', 'two'])).lines).toEqual([
    expect.stringContaining('--advertise'),
    { url: 'http://w', others: ['one', 'two'] },
  ]);
});

test('others are workers that live and have the same URL', async () => {
  const { statement, values } = await asked([]);
  expect(values).toEqual(['worker', 'http://w']);
  const row = { owner: 'other', url: 'http://w', expires_at: 1001, 'clock_timestamp()': 1000 };
  const isMeant = (facts: object) =>
    statement !== undefined &&
    fulfils(statement, 'WHERE', { ...row, $1: 'worker', $2: 'http://w', ...facts });
  expect(isMeant({})).toBe(true);
  expect(isMeant({ owner: 'worker' })).toBe(false);
  expect(isMeant({ url: 'http://other' })).toBe(false);
  expect(isMeant({ expires_at: 1000 })).toBe(false);
});
