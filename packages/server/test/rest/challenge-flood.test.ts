import { type HttpResponse, statusOf } from '@azimuth/test-support/client';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';

test.each([
  ['a call that needs no login', 'GetWebserverEnabled', 0],
  ['a read-only variable', 'DeviceStatus', 8],
  ['a name that is unknown', 'Nothing', 5],
])(
  'a client that alternates challenge and POST to %s never triggers the flood protection',
  async (_, name, status) => {
    const client = (await TestScanner.start()).client();
    for (let time = 0; time < 60; time++) {
      const header = await client.header(name);
      expect(statusOf(await client.post(name, { header }))).toBe(status);
    }
  },
);

test('an incomplete header counts as a use of its challenge, too', async () => {
  const client = (await TestScanner.start()).client();
  for (let time = 0; time < 60; time++) {
    const { nonce } = await client.challenge();
    expect(statusOf(await client.post('WriteEeprom', { header: { nonce } }))).toBe(4);
  }
});

test('a POST without a known challenge uses none', async () => {
  const client = (await TestScanner.start()).client();
  const replies: HttpResponse[] = [];
  for (let time = 0; time < 51; time++) {
    replies.push(await client.post('getChallenge', { data: { user: 'Service' } }));
    for (const header of [null, 'x', [], {}, { nonce: 1 }, { nonce: 'x' }]) {
      expect(statusOf(await client.post('GetWebserverEnabled', { header }))).toBe(0);
    }
  }
  expect(replies.map(statusOf)).toEqual([...Array(50).fill(0), 4]);
});

test('a challenge that was counted as used is still valid for its POST', async () => {
  const client = (await TestScanner.start()).client();
  const header = await client.header('WriteEeprom');
  for (const name of ['GetWebserverEnabled', 'DeviceStatus', 'Nothing']) await client.post(name, { header });
  expect(statusOf(await client.post('WriteEeprom', { header }))).toBe(0);
});
