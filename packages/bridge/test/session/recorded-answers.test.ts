import { expect, test } from 'vitest';
import { RecordedAnswers } from '../../src/session/recorded-answers.js';
import type { SessionEntry } from '../../src/session/session-line.js';

let id = 0;

function exchange(
  method: string,
  path: string,
  body: string,
  answer: string,
  headers: string[] = [],
): SessionEntry[] {
  id += 1;
  return [
    { kind: 'request', at: 1000, id, method, path, headers, body: Buffer.from(body) },
    { kind: 'response', at: 4000, id, status: 200, headers: [], body: Buffer.from(answer) },
  ];
}

function asking(entries: readonly SessionEntry[]) {
  const answers = new RecordedAnswers(entries);
  return (method: string, path: string, body = '', isUpgrade = false) => {
    const answer = answers.next({ method, path, body: Buffer.from(body), isUpgrade });
    return answer && `${Buffer.from(answer.response.body)} after ${answer.delay} ms`;
  };
}

test('the same request gets the responses in their order, then the last one again', () => {
  const ask = asking([...exchange('GET', '/api/A', '', 'one'), ...exchange('GET', '/api/A', '', 'two')]);
  expect([ask('GET', '/api/A'), ask('GET', '/api/A'), ask('GET', '/api/A')]).toEqual([
    'one after 3 ms',
    'two after 3 ms',
    'two after 3 ms',
  ]);
});

test('method, path with its query, and data decide, not the header with the login, and not the order of members', () => {
  const ask = asking([
    ...exchange('POST', '/api/A', '{"header":{"user":"Service"},"data":{"A":{"x":1,"y":2}}}', 'set'),
    ...exchange('GET', '/apievents', '', 'joined', ['Upgrade', 'websocket']),
  ]);
  expect(ask('POST', '/api/A', '{"data":{"A":{"y":2,"x":1}},"header":{"user":"Main"}}')).toBe(
    'set after 3 ms',
  );
  expect(ask('POST', '/api/A', '{"data":{"A":{"y":2,"x":3}}}')).toBeUndefined();
  expect([ask('GET', '/api/A'), ask('POST', '/api/A?b'), ask('GET', '/apievents')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(ask('GET', '/apievents', '', true)).toBe('joined after 3 ms');
});

test('a delay has a bound, and is never negative', () => {
  const [request, response] = exchange('GET', '/a', '', 'x');
  const entries = (at: number) => (request && response ? [request, { ...response, at }] : []);
  expect(asking(entries(0))('GET', '/a')).toBe('x after 0 ms');
  expect(asking(entries(Number.MAX_SAFE_INTEGER))('GET', '/a')).toBe('x after 600000 ms');
});
