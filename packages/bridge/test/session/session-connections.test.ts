import { expect, test } from 'vitest';
import { endsIn } from '../../src/session/session-connections.js';
import type { SessionEntry } from '../../src/session/session-line.js';

test('each connection counts once, whatever a file says', () => {
  const opened = (connection: number, path: string): SessionEntry => ({
    ...{ kind: 'opened', at: connection, connection, protocol: 'events', path },
  });
  const entries: readonly SessionEntry[] = [
    ...[opened(1, '/apievents'), opened(1, '/other'), opened(2, '/apievents')],
    { kind: 'opened', at: 3, connection: 3, protocol: 'text' },
    { kind: 'closed', at: 9, connection: 2, protocol: 'events', direction: 'from scanner', code: 1001 },
  ];
  expect(endsIn(entries, 'events')).toEqual([
    { connection: 1, path: '/apievents', opened: 1, closed: undefined },
    { connection: 2, path: '/apievents', opened: 2, closed: { at: 9, code: 1001 } },
  ]);
});
