import { vi } from 'vitest';
import { Database, type Row } from '../../src/database/database.js';

export const silent = { info() {}, warn() {}, error() {} };

/** A database without connections: each statement gets the next of these results, and then an empty one. */
export function respondingWith(...results: readonly (readonly Row[])[]) {
  const database = new Database({ url: 'postgres://nobody@127.0.0.1/none', log: silent, program: 'test' });
  const query = vi.spyOn(database, 'query');
  for (const rows of results) query.mockResolvedValueOnce(rows);
  query.mockResolvedValue([]);
  const statements = () => query.mock.calls.map(([statement]) => statement);
  const values = () => query.mock.calls.map(([, given]) => given);
  return { database, query, statements, values };
}
