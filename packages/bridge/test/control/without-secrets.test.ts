import { SharedLimit } from '@azimuth/http';
import { expect, test } from 'vitest';
import { KeptBody } from '../../src/control/kept-body.js';
import { requestBody, responseBody } from '../../src/control/without-secrets.js';

const room = new SharedLimit(2 * 1024 * 1024);

function kept(body: string): KeptBody {
  const all = new KeptBody(room);
  for (let at = 0; at < body.length; at += 100_000) all.add(Buffer.from(body.slice(at, at + 100_000)));
  return all;
}

const login = { user: 'Service', realm: 'R', nonce: 'n', opaque: 'o', response: 'digest' };

test.each([
  [
    'LocationName',
    { header: login, data: { LocationName: 'Gate' } },
    { header: { user: 'Service' }, data: { LocationName: 'Gate' } },
  ],
  ['x/fields', { data: { fields: [] } }, { data: { fields: [] } }],
  [
    'SetPassword',
    { data: { siUserLevel: 4, udiNewPassword: 7 } },
    { data: { siUserLevel: 4, udiNewPassword: '(secret)' } },
  ],
  [
    'SetPassword',
    { data: { siUserLevel: 'mistyped', hash: 7 } },
    { data: { siUserLevel: '(secret)', hash: '(secret)' } },
  ],
  ['SetPassword', { data: 7 }, { data: '(secret)' }],
  ['getChallenge', { data: { user: 'Service' } }, { data: { user: 'Service' } }],
])('a request of %s is on the timeline without secrets', (name, sent, shown) => {
  const path = name.startsWith('x/') ? `/${name}` : `/api/${name}`;
  const { body, unkept } = requestBody('POST', path, kept(JSON.stringify(sent)));
  expect([JSON.parse(Buffer.from(body).toString()), unkept]).toEqual([shown, undefined]);
});

test.each([
  ['POST', '/api/Unknown', '{"data":{"password":"x"}}'],
  ['POST', '/api/LocationName', 'no JSON'],
  ['POST', '/api/LocationName', `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['POST', '/api/LocationName', `{"data":{"LocationName":"${'x'.repeat(1024 * 1024)}"}}`],
])('%s %s has only its length if its body may hold secrets, or is too long', (method, path, sent) => {
  const { body, unkept } = requestBody(method, path, kept(sent));
  expect([body.length, unkept]).toEqual([0, { length: sent.length }]);
});

test('a file that is sent has length and hash', () => {
  const { unkept } = requestBody('PUT', '/api/update', kept('a file'));
  expect([unkept?.length, unkept?.sha256?.length]).toEqual([6, 64]);
});

test('a response is kept as it came, except tokens and files', () => {
  const of = (path: string, sent: string) => Buffer.from(responseBody(path, kept(sent)).body).toString();
  expect(of('/api/LocationName', '{ "a":1 }')).toBe('{ "a":1 }');
  expect(of('/api/CreateSessionToken', '{"header":{"status":0},"data":{"token":"abc"}}')).toBe(
    '{"header":{"status":0},"data":{"token":"(secret)"}}',
  );
  expect(of('/api/CreateSessionToken', '{"header":{"status":4}}')).toBe('{"header":{"status":4}}');
  expect(of('/api/RenewSessionToken', '{"data":{"token":"abc"}}')).toBe('{"data":{"token":"(secret)"}}');
  expect(of('/api/CreateSessionToken/', '{"data":{"token":"abc"}}')).toBe('{"data":{"token":"(secret)"}}');
  expect(of('/api/Unknown', '{ "header":{"status":5} }')).toBe('{ "header":{"status":5} }');
  expect([of('/api/unknown', 'a file'), of('/', '<html>')]).toEqual(['', '<html>']);
  expect([of('/api/parameterbackup', 'x'), of('/api/%70arameterbackup?a', 'x')]).toEqual(['', '']);
});

test('bodies together have a limit, and free their room', () => {
  const small = new SharedLimit(10);
  const [one, two] = [new KeptBody(small), new KeptBody(small)];
  one.add(Buffer.alloc(8));
  two.add(Buffer.alloc(8));
  expect(two.take().unkept?.length).toBe(8);
  expect([one.take().body.length, small.held]).toEqual([8, 0]);
});
