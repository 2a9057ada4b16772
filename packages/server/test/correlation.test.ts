import { expect, test } from 'vitest';
import { service, statusOf } from '../../../tests/support/client.js';
import { FaultyStorage } from '../../../tests/support/faulty-storage.js';
import type { Line } from '../../../tests/support/log-book.js';
import { changePassword } from '../../../tests/support/password-change.js';
import { Bench } from '../../../tests/support/service-test-bench.js';

const correlation = 'azimuth-correlation';

async function started(storage = new FaultyStorage()) {
  const bench = await Bench.start({ storage });
  return { bench, client: bench.client(), storage };
}

function linesWith(bench: Bench, value: unknown): readonly Line[] {
  return bench.log.lines.filter(({ facts }) => facts.correlation === value);
}

test('a call is logged with who, from where, and the correlation that its answer tells', async () => {
  const { bench, client } = await started();
  const reply = await client.call('WriteEeprom');
  expect(linesWith(bench, reply.headers[correlation])).toEqual([
    {
      severity: 'info',
      message: 'A method was called',
      facts: {
        method: 'WriteEeprom',
        userLevel: 'Service',
        client: '127.0.0.1',
        correlation: reply.headers[correlation],
      },
    },
  ]);
});

test('a failed login is logged with its correlation, and so is the lock that the fifth brings', async () => {
  const { bench, client } = await started();
  const locked: unknown[] = [];
  for (let time = 0; time < 5; time++) {
    const reply = await client.call('WriteEeprom', undefined, { ...service, password: 'wrong' });
    const [line] = linesWith(bench, reply.headers[correlation]);
    expect(line).toMatchObject({ severity: 'warn', message: 'A login failed' });
    expect(line?.facts).toMatchObject({ userLevel: 'Service', endpoint: 'WriteEeprom', client: '127.0.0.1' });
    locked.push(line?.facts.locked);
  }
  expect(locked).toEqual([false, false, false, false, true]);
});

test('a changed password is logged, and one that was not', async () => {
  const { bench, client } = await started();
  const changed = await changePassword(client, service, 'other1!');
  expect(linesWith(bench, changed.headers[correlation])).toMatchObject([
    { message: 'A password was changed', facts: { userLevel: 'Service' } },
  ]);
  const refused = await changePassword(client, service, 'third1!');
  expect(linesWith(bench, refused.headers[correlation])).toMatchObject([
    { message: 'A login failed', facts: { userLevel: 'Service', endpoint: 'changePassword' } },
  ]);
});

test('a save that fails is an error with the correlation of the call', async () => {
  const { bench, client, storage } = await started();
  storage.fail('parameters.json');
  const reply = await client.call('WriteEeprom');
  expect(statusOf(reply)).toBe(3);
  expect(linesWith(bench, reply.headers[correlation])).toMatchObject([
    { severity: 'error', message: 'A method failed', facts: { method: 'WriteEeprom' } },
  ]);
});

test('each request has a correlation of its own', async () => {
  const { client } = await started();
  const seen = new Set<unknown>();
  for (let time = 0; time < 10; time++) seen.add((await client.call('WriteEeprom')).headers[correlation]);
  expect(seen.size).toBe(10);
  expect([...seen].every((value) => /^[0-9a-f]{8}-[0-9a-z]+$/.test(String(value)))).toBe(true);
});

test('where nothing is logged nothing is told', async () => {
  const { bench, client } = await started();
  const before = bench.log.lines.length;
  expect((await client.get('LocationName')).headers).not.toHaveProperty(correlation);
  expect((await client.write('LocationName', 'Gate 3')).headers).not.toHaveProperty(correlation);
  expect((await client.post('getChallenge', { data: { user: 'Service' } })).headers).not.toHaveProperty(
    correlation,
  );
  expect(bench.log.lines).toHaveLength(before);
});

test('the name that a proxy gave the request stands beside, where it is a name', async () => {
  const { bench, client } = await started();
  const called = async (name: string) => {
    const body = JSON.stringify({ header: await client.header('WriteEeprom') });
    const reply = await client.postText('WriteEeprom', body, { 'X-Request-Id': name });
    return linesWith(bench, reply.headers[correlation])[0]?.facts;
  };
  expect(await called('edge-7:42')).toMatchObject({ requestId: 'edge-7:42' });
  for (const name of ['a b', '"}', 'x'.repeat(65), ''])
    expect(await called(name)).not.toHaveProperty('requestId');
});

test('going down and coming up are logged', async () => {
  const { bench, client } = await started();
  await client.call('RebootDevice');
  expect(bench.log.lines.map(({ message }) => message)).toContain('The scanner goes down');
});
