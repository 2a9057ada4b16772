import { expect, test } from 'vitest';
import { type Reply, statusOf } from '../../../tests/support/client.js';
import { Bench } from '../../../tests/support/service-test-bench.js';

test.each([
  ['a call that needs no login', 'GetWebserverEnabled', 0],
  ['a read-only variable', 'DeviceStatus', 8],
  ['a name that is unknown', 'Nothing', 5],
])('who alternates challenge and POST to %s never trips the flood', async (_, name, status) => {
  const client = (await Bench.start()).client();
  for (let time = 0; time < 60; time++) {
    const header = await client.header(name);
    expect(statusOf(await client.post(name, { header }))).toBe(status);
  }
});

test('a header that is not complete has used its challenge, too', async () => {
  const client = (await Bench.start()).client();
  for (let time = 0; time < 60; time++) {
    const { nonce } = await client.challenge();
    expect(statusOf(await client.post('WriteEeprom', { header: { nonce } }))).toBe(4);
  }
});

test('a POST that names none of the challenges has used none', async () => {
  const client = (await Bench.start()).client();
  const replies: Reply[] = [];
  for (let time = 0; time < 51; time++) {
    replies.push(await client.post('getChallenge', { data: { user: 'Service' } }));
    for (const header of [null, 'x', [], {}, { nonce: 1 }, { nonce: 'x' }]) {
      expect(statusOf(await client.post('GetWebserverEnabled', { header }))).toBe(0);
    }
  }
  expect(replies.map(statusOf)).toEqual([...Array(50).fill(0), 4]);
});

test('a challenge that was noted is still good for its POST', async () => {
  const client = (await Bench.start()).client();
  const header = await client.header('WriteEeprom');
  for (const name of ['GetWebserverEnabled', 'DeviceStatus', 'Nothing']) await client.post(name, { header });
  expect(statusOf(await client.post('WriteEeprom', { header }))).toBe(0);
});
