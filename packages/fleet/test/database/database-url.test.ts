import { expect, test, vi } from 'vitest';
import { BadDatabaseUrl, Database, DatabaseUnavailable } from '../../src/database/index.js';

const log = { info() {}, warn() {}, error() {} };
const open = (url: string) => new Database({ url, log, program: 'test' });

test.each([
  ['postgres://db.example:5433/hall', 'The database hall at db.example:5433'],
  ['postgresql://someone@db.example/hall', 'The database hall at db.example:5432'],
  ['postgres://someone:geheim@db.example', 'The database someone at db.example:5432'],
  ['postgres:///hall?host=/run/postgresql', 'The database hall at /run/postgresql:5432'],
])('%s is named without user and password', async (url, expected) => {
  for (const name of ['PGHOST', 'PGPORT', 'PGDATABASE', 'PGUSER']) vi.stubEnv(name, undefined);
  const database = open(url);
  expect(database.where).toBe(expected);
  await database.close();
});

test.each(['mysql://a:geheim@h/d', 'h/geheim', 'postgres://a:geheim@h:x/d', 'postgres://a:geheim@h/%zz', ''])(
  '%s is refused, and not repeated',
  (url) => {
    expect(() => open(url)).toThrow(BadDatabaseUrl);
    expect(() => open(url)).not.toThrow('geheim');
    expect(() => open(url)).toThrow('expected postgres://USER@HOST:PORT/DATABASE');
  },
);

test('a database that nobody can reach is away', async () => {
  const database = open('postgres://someone:geheim@127.0.0.1:1/hall');
  const error = await database.query({ name: 'one', text: 'SELECT 1' }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(String(error)).toBe(
    'DatabaseAway: The database hall at 127.0.0.1:1 does not answer: connect ECONNREFUSED 127.0.0.1:1',
  );
  await database.close();
});
