import { service, statusOf } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import type { Line } from '@azimuth/test-support/log-book';
import { changePassword } from '@azimuth/test-support/password-change';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';

const correlation = 'azimuth-correlation';

async function started(storage = new FaultyStorage()) {
  const scanner = await TestScanner.start({ storage });
  return { scanner, client: scanner.client(), storage };
}

function linesWith(scanner: TestScanner, value: unknown): readonly Line[] {
  return scanner.log.lines.filter(({ facts }) => facts.correlation === value);
}

test('a call is logged with the user level, the client, and the correlation of its answer', async () => {
  const { scanner, client } = await started();
  const reply = await client.call('WriteEeprom');
  expect(linesWith(scanner, reply.headers[correlation])).toEqual([
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

test('a failed login is logged with its correlation, and so is the lock after the fifth', async () => {
  const { scanner, client } = await started();
  const locked: unknown[] = [];
  for (let time = 0; time < 5; time++) {
    const reply = await client.call('WriteEeprom', undefined, { ...service, password: 'wrong' });
    const [line] = linesWith(scanner, reply.headers[correlation]);
    expect(line).toMatchObject({ severity: 'warn', message: 'A login failed' });
    expect(line?.facts).toMatchObject({ userLevel: 'Service', endpoint: 'WriteEeprom', client: '127.0.0.1' });
    locked.push(line?.facts.locked);
  }
  expect(locked).toEqual([false, false, false, false, true]);
});

test('a changed password is logged, and so is a failed change', async () => {
  const { scanner, client } = await started();
  const changed = await changePassword(client, service, 'other1!');
  expect(linesWith(scanner, changed.headers[correlation])).toMatchObject([
    { message: 'A password was changed', facts: { userLevel: 'Service' } },
  ]);
  const refused = await changePassword(client, service, 'third1!');
  expect(linesWith(scanner, refused.headers[correlation])).toMatchObject([
    { message: 'A login failed', facts: { userLevel: 'Service', endpoint: 'changePassword' } },
  ]);
});

test('a failed save is logged as an error with the correlation of the call', async () => {
  const { scanner, client, storage } = await started();
  storage.fail('parameters.json');
  const reply = await client.call('WriteEeprom');
  expect(statusOf(reply)).toBe(3);
  expect(linesWith(scanner, reply.headers[correlation])).toMatchObject([
    { severity: 'error', message: 'A method failed', facts: { method: 'WriteEeprom' } },
  ]);
});

test('each request has a different correlation', async () => {
  const { client } = await started();
  const seen = new Set<unknown>();
  for (let time = 0; time < 10; time++) seen.add((await client.call('WriteEeprom')).headers[correlation]);
  expect(seen.size).toBe(10);
  expect([...seen].every((value) => /^[0-9a-f]{8}-[0-9a-z]+$/.test(String(value)))).toBe(true);
});

test('without a log line the answer has no correlation', async () => {
  const { scanner, client } = await started();
  const before = scanner.log.lines.length;
  expect((await client.get('LocationName')).headers).not.toHaveProperty(correlation);
  expect((await client.write('LocationName', 'Gate 3')).headers).not.toHaveProperty(correlation);
  expect((await client.post('getChallenge', { data: { user: 'Service' } })).headers).not.toHaveProperty(
    correlation,
  );
  expect(scanner.log.lines).toHaveLength(before);
});

test('a valid request id of a proxy is logged, too', async () => {
  const { scanner, client } = await started();
  const called = async (name: string) => {
    const body = JSON.stringify({ header: await client.header('WriteEeprom') });
    const reply = await client.postText('WriteEeprom', body, { 'X-Request-Id': name });
    return linesWith(scanner, reply.headers[correlation])[0]?.facts;
  };
  expect(await called('edge-7:42')).toMatchObject({ requestId: 'edge-7:42' });
  for (const name of ['a b', '"}', 'x'.repeat(65), ''])
    expect(await called(name)).not.toHaveProperty('requestId');
});

test('going down and coming up are logged', async () => {
  const { scanner, client } = await started();
  await client.call('RebootDevice');
  expect(scanner.log.lines.map(({ message }) => message)).toContain('The scanner goes down');
});
